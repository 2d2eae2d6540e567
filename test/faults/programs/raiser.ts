import pino from 'pino';
import { Kernel } from '@annals/kernel';
import { counter, raise, toyContext } from '../../../libs/kernel/src/spec-support/toy-context';
import { system } from '../../../libs/kernel/src/spec-support/toy-kernel';

/** Its messages to the parent: it is ready, or a raise was acknowledged, after so many decisions. */
export type Said = 'ready' | { readonly decisions: number };

/**
 * A process that raises one counter again and again, one raise at a time, from the first message of its parent to the
 * second.
 *
 * Argument: database url.
 */
const [url = ''] = process.argv.slice(2);
const send = (message: Said) => process.send?.(message);

async function main(): Promise<void> {
  const log = pino({ level: 'silent' });
  const kernel = await Kernel.open({ databaseUrl: url, contexts: [toyContext], log, poolSize: 2 });
  const received = new Promise((resolve) => process.once('message', resolve));
  send('ready');
  await received;
  let stopped = false;
  process.once('message', () => (stopped = true));
  while (!stopped) {
    let decisions = 0;
    await kernel.work.run(system(), (work) => {
      decisions += 1;
      return work.decide(counter, 1, raise(1, 1));
    });
    send({ decisions });
  }
  await kernel.close();
  process.disconnect();
}

void main();
