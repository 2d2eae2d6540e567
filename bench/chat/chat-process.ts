import type { RealmId } from '@annals/kernel/domain';
import { closedLoop } from '../harness';
import { Chat } from './chat';

/** The run that the parent process requests. */
export interface Run {
  readonly seconds: number;
  readonly callers: number;
}

/** A process of its own that sends messages to all realms of a database. Arguments: its address, realms, own number. */
async function main([url = '', realms = '', number = '']: readonly string[]): Promise<void> {
  const chat = await Chat.join(url, Number(realms), Number(number));
  const send = (caller: number) => chat.send(((caller % Number(realms)) + 1) as RealmId);
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
