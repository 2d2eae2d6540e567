import pino from 'pino';
import { Kernel } from '@annals/kernel';
import { counter, raise, toyContext } from '../../../libs/kernel/src/spec-support/toy-context';
import { system } from '../../../libs/kernel/src/spec-support/toy-kernel';

/** What it tells its parent: that it stands ready, or that a raise was acknowledged, after so many decisions. */
export type Said = 'ready' | { readonly decisions: number };

/**
 * A process of its own that raises one counter again and again, one raise at a time, from the first word of its parent
 * to the second.
 *
 * Argument: database url.
 */
const [url = ''] = process.argv.slice(2);
const tell = (said: Said) => process.send?.(said);

async function main(): Promise<void> {
  const log = pino({ level: 'silent' });
  const kernel = await Kernel.open({ databaseUrl: url, contexts: [toyContext], log, poolSize: 2 });
  const told = new Promise((resolve) => process.once('message', resolve));
  tell('ready');
  await told;
  let stopped = false;
  process.once('message', () => (stopped = true));
  while (!stopped) {
    let decisions = 0;
    await kernel.work.run(system(), (work) => {
      decisions += 1;
      return work.decide(counter, 1, raise(1, 1));
    });
    tell({ decisions });
  }
  await kernel.close();
  process.disconnect();
}

void main();
