import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotStart } from '@annals/embedded';
import { runUntilStopped } from './launcher';

const RESTARTING = { pausesMs: [500, 1_000, 2_000, 5_000, 10_000], wellAfterMs: 60_000, now: () => performance.now() };
const PARENT_CHECK_MS = 100;

const projectRoot = (function find(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : find(dirname(folder));
})(__dirname);
const programOf = (app: string) => join(projectRoot, 'dist', 'apps', app, 'src', 'main.js');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
// npm passes signals on, but sends nothing when it is killed itself.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || stop.abort(), PARENT_CHECK_MS).unref();
}

runUntilStopped({
  env: process.env,
  projectRoot,
  programs: { cli: programOf('cli'), api: programOf('api'), worker: programOf('worker') },
  restarting: RESTARTING,
  say: (line) => console.log(line),
  signal: stop.signal,
}).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof CannotStart ? error.message : error);
    process.exit(1);
  },
);
