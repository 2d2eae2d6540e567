import type { RealmId } from '@annals/kernel/domain';
import { closedLoop } from '../harness';
import { Chat } from './chat';

/** The run that the parent process requests. */
export interface Run {
  readonly seconds: number;
  readonly callers: number;
}

/**
 * A process of its own that sends messages to some realms of a database. Arguments: its address, the number of realms, its
 * own number, the first realm that it sends to, and how many it sends to from there on.
 */
async function main([url = '', realms = '', number = '', first = '', own = '']: readonly string[]): Promise<void> {
  const chat = await Chat.join(url, Number(realms), Number(number));
  const send = (caller: number) => chat.send((Number(first) + (caller % Number(own))) as RealmId);
  process.on('message', ({ seconds, callers }: Run) => {
    const took: number[] = [];
    const timed = async (caller: number) => {
      const began = performance.now();
      await send(caller);
      took.push(performance.now() - began);
    };
    void closedLoop({ callers, seconds }, timed).then((load) => process.send?.(took.slice(-load.count)));
  });
  process.send?.('ready');
}

void main(process.argv.slice(2));
