import pino from 'pino';
import { Kernel } from '@annals/kernel';
import { counter, raise, toyContext } from '../../../libs/kernel/src/spec-support/toy-context';
import { system } from '../../../libs/kernel/src/spec-support/toy-kernel';

/** What it tells its parent: that it stands ready, or that a raise was acknowledged, after so many decisions. */
export type Said = 'ready' | { readonly decisions: number };

/**
 * A process of its own that raises one counter again and again, one raise at a time, as soon as its parent says
 * anything. It ends in order when the counter is as high as it may be.
 *
 * Arguments: database url, how high the counter may be.
 */
const [url = '', limit = '0'] = process.argv.slice(2);
const tell = (said: Said) => process.send?.(said);

async function main(): Promise<void> {
  const log = pino({ level: 'silent' });
  const kernel = await Kernel.open({ databaseUrl: url, contexts: [toyContext], log, poolSize: 2 });
  const told = new Promise((resolve) => process.once('message', resolve));
  tell('ready');
  await told;
  for (let full = false; !full;) {
    let decisions = 0;
    await kernel.work.run(system(), async (work) => {
      decisions += 1;
      full = (await work.read(counter, 1)) >= Number(limit);
      if (!full) await work.decide(counter, 1, raise(1, 1, Number(limit)));
    });
    if (!full) tell({ decisions });
  }
  await kernel.close();
  process.disconnect();
}

void main();
