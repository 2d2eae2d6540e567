import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@annals/embedded';
import { runCli } from '../support/processes/cli';
import { LauncherProcess, launcherWith } from './launcher-process';

const HOOK = join(__dirname, 'programs/killed-setup.cjs');

/** The setup is killed right before it sends one of these texts. The first two go to the database, the last to the launcher. */
const MOMENTS = ['CREATE TABLE events', 'INSERT INTO events', '"created":true'];

let dataDir: string;
let launcher: LauncherProcess;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'annals-killed-'))));
afterEach(async () => {
  await launcher.end('SIGTERM');
  rmSync(dataDir, { recursive: true });
});

it('npm start that is killed with its setup, at each of its steps, ends up with one organization and a good key', async () => {
  const { PATH } = process.env;
  const settings = { PATH, ANNALS_DATA_DIR: dataDir, PORT: String(await freePort()) };
  const start = (more: NodeJS.ProcessEnv = {}) =>
    (launcher = new LauncherProcess(launcherWith('real'), { ...settings, ...more }));
  for (const KILLED_AT of MOMENTS) {
    expect(await start({ KILLED_AT, NODE_OPTIONS: `-r ${HOOK}` }).exitCode()).toBeNull();
    expect(launcher.lastLine).toBe('Preparing the database.');
  }

  const { output } = await start().running();
  expect(output).toContain('\nStarting api and worker.\n');
  const [, login = '', address = ''] = /curl -sS -u '(.*)' (.*)/.exec(output) ?? [];
  expect(readFileSync(join(dataDir, 'zuliprc'), 'utf8')).toContain(`key=${login.split(':')[1]}\n`);
  const me = await fetch(address, { headers: { authorization: `Basic ${btoa(login)}` } });
  expect(await me.json()).toMatchObject({ result: 'success', is_owner: true });
  const { out } = await runCli({ ANNALS_DATA_DIR: dataDir, DATABASE_URL: '', REDIS_URL: '' }, 'status', '--json');
  expect((JSON.parse(out) as { heads: unknown[] }).heads).toHaveLength(1);
});
