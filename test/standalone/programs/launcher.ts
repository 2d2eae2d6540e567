import { join } from 'node:path';
import { CannotStart } from '@annals/embedded';
import { runUntilStopped } from '../../../apps/standalone/src/launcher';

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const program = (name: string) =>
  process.argv[2] === 'real' ? join(__dirname, '../../../apps', name, 'src/main.ts') : join(__dirname, `${name}.ts`);

/** The launcher as `npm start` runs it, with the real programs or, where asked, those of the spec in their place. */
runUntilStopped({
  env: process.env,
  projectRoot: join(__dirname, '../../..'),
  programs: { cli: program('cli'), api: program('api'), worker: program('worker') },
  restarting: { pausesMs: [0, 0], wellAfterMs: 60_000, now: () => 0 },
  say: (line) => console.log(line),
  signal: stop.signal,
}).catch((error: unknown) => {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
});
