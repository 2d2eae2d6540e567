import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandOf, freePort } from '@annals/embedded';
import { createTestDatabase } from '../support/server/database';
import type { TestDatabase } from '../support/server/database';
import { LauncherProcess, launcherWith } from './launcher-process';

interface ApiFacts {
  readonly pid: number;
  readonly DATABASE_URL: string;
  readonly REDIS_URL?: string;
  readonly ANNALS_DATA_DIR: string;
  readonly ANNALS_RATE_LIMITS: string;
}

let database: TestDatabase;
let dataDir: string;
let port: number;
const launchers: LauncherProcess[] = [];
const key = 'k'.repeat(32);

beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'annals-launcher-'));
  chmodSync(dataDir, 0o755);
  port = await freePort();
});
afterEach(async () => {
  for (const launcher of launchers.splice(0)) await launcher.end('SIGTERM');
  rmSync(dataDir, { recursive: true });
});

/** The launcher, with the programs beside this spec instead of api, worker and cli. */
function launch(env: NodeJS.ProcessEnv = {}): LauncherProcess {
  const settings = {
    PORT: String(port),
    DATABASE_URL: database.url,
    ANNALS_DATA_DIR: dataDir,
    ANNALS_OWNER_API_KEY: key,
    ...env,
  };
  const launcher = new LauncherProcess(launcherWith('fake'), settings);
  launchers.push(launcher);
  return launcher;
}
const onOwnDatabase = () => launch({ DATABASE_URL: '', PATH: process.env['PATH'] });

const askApi = async () => (await (await fetch(`http://127.0.0.1:${port}`)).json()) as ApiFacts;
const zuliprc = () => readFileSync(join(dataDir, 'zuliprc'), 'utf8');
const postgresPid = () => Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);

async function processEnded(pid: number): Promise<void> {
  while (commandOf(pid) !== undefined) await sleep(10);
}

describe('npm start', () => {
  it('prints the address and the account, and writes a zuliprc for the owner alone', async () => {
    const { output } = await launch({ ANNALS_OWNER_EMAIL: 'owner@example.com' }).running();
    expect(output).toContain(`Address   http://127.0.0.1:${port}\n`);
    expect(output).toContain('Owner     owner@example.com\n');
    expect(output).toContain(`API key   ${key}`);
    expect(output).toContain(`curl -sS -u 'owner@example.com:${key}' http://127.0.0.1:${port}/api/v1/users/me\n`);
    expect(zuliprc()).toBe(`[api]\nemail=owner@example.com\nkey=${key}\nsite=http://127.0.0.1:${port}\n`);
    expect(statSync(join(dataDir, 'zuliprc')).mode & 0o777).toBe(0o600);
  });

  it('gives its children the settings, and no REDIS_URL where there is no Redis', async () => {
    await launch({ ANNALS_RATE_LIMITS: 'off', REDIS_URL: '' }).running();
    const { pid, ...facts } = await askApi();
    expect(facts).toEqual({ DATABASE_URL: database.url, ANNALS_DATA_DIR: dataDir, ANNALS_RATE_LIMITS: 'off' });
    expect(commandOf(pid)).toContain('api.ts');
  });

  it('loads neither the kernel nor a context itself, so that it starts at once and stays small', async () => {
    const launcher = join(__dirname, '../../apps/standalone/src/launcher.ts');
    const script = `require(${JSON.stringify(launcher)}); console.log(Object.keys(require.cache).join('\\n'))`;
    const args = ['-r', require.resolve('../support/typescript.cjs'), '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const ofLibraries = stdout.split('\n').filter((file) => /\/libs\/(?!embedded\/)/.test(file));
    expect(ofLibraries).toContainEqual(expect.stringMatching(/\/address-guard\.ts$/));
    const small = /\/(kernel\/src\/(domain\/|outgoing\/address-guard\.ts$)|mail\/src\/domain\/incoming-part\.ts$)/;
    expect(ofLibraries.filter((file) => !small.test(file))).toEqual([]);
  });

  it('stores the key, which the setup prints only once', async () => {
    await (await launch().running()).end('SIGTERM');
    const again = await launch({ FAKE_SETUP: 'finds one' }).running();
    expect(again.output).toContain(`API key   ${key}`);
  });

  it('chooses the key before the setup, and keeps it until it was printed', async () => {
    const choosing = { ANNALS_OWNER_API_KEY: '' };
    expect(await launch({ ...choosing, FAKE_SETUP: 'dies' }).exitCode()).toBe(1);
    const unfinished = join(dataDir, 'zuliprc.unfinished');
    const chosen = readFileSync(unfinished, 'utf8').trim();
    expect(statSync(unfinished).mode & 0o777).toBe(0o600);
    expect((await launch(choosing).running()).output).toContain(`API key   ${chosen}`);
    expect(zuliprc()).toContain(`key=${chosen}\n`);
    expect(existsSync(unfinished)).toBe(false);
  });

  it('keeps the key even when the api does not start after the setup', async () => {
    expect(await launch({ FAKE_API: 'fails' }).exitCode()).toBe(1);
    expect(zuliprc()).toContain(`key=${key}\n`);
  });

  it('names no key that is not for this owner', async () => {
    writeFileSync(join(dataDir, 'zuliprc'), `[api]\nemail=somebody@example.com\nkey=theirs\nsite=x\n`);
    const { output } = await launch({ FAKE_SETUP: 'finds one' }).running();
    expect(output).toContain(
      `API key   unknown, not in ${join(dataDir, 'zuliprc')}; issue another one: npm run annals -- key 'owner@annals.localhost.invalid'\n`,
    );
    expect(zuliprc()).toContain('key=theirs');
  });

  it('reports when the stored key is no longer valid, and prints none', async () => {
    const owner = { ANNALS_OWNER_EMAIL: 'owner@example.com' };
    const first = await launch({ ...owner, FAKE_LOGIN: `owner@example.com:${key}` }).running();
    expect(first.output).toContain(`API key   ${key}`);
    await first.end('SIGTERM');
    const { output } = await launch({ ...owner, FAKE_SETUP: 'finds one', FAKE_LOGIN: 'somebody else' }).running();
    expect(output).toContain(
      `API key   the one in ${join(dataDir, 'zuliprc')} is no longer valid; ` +
        `issue another one: npm run annals -- key 'owner@example.com'\n`,
    );
    expect(output).toContain(`curl -sS http://127.0.0.1:${port}/api/v1/server_settings\n`);
    expect(output).not.toContain(key);
  });

  it('says how to reactivate the organization when it is deactivated, and not that its key is worth nothing', async () => {
    const owner = { ANNALS_OWNER_EMAIL: 'owner@example.com' };
    const refusing = { FAKE_LOGIN: 'somebody else', FAKE_REFUSAL: 'REALM_DEACTIVATED' };
    const { output } = await launch({ ...owner, ...refusing }).running();
    expect(output).toContain(
      `API key   in ${join(dataDir, 'zuliprc')}, but the organization is deactivated; ` +
        'take that back: npm run annals -- organizations reactivate 1\n',
    );
    expect(output).toContain(`curl -sS http://127.0.0.1:${port}/api/v1/server_settings\n`);
    expect(output).not.toContain(key);
  });

  it('stops everything when it is stopped, and leaves nothing but the data', async () => {
    const launcher = await launch().running();
    const { pid } = await askApi();
    expect(await launcher.end('SIGTERM')).toBe(0);
    expect(launcher.output).toMatch(/Stopping\.\nStopped\.\n$/);
    expect(commandOf(pid)).toBeUndefined();
    expect(existsSync(join(dataDir, 'annals.pid'))).toBe(false);
  });

  it('stops at once while it waits for an earlier run', async () => {
    writeFileSync(join(dataDir, 'annals.pid'), `${process.pid}\n${commandOf(process.pid)}\nstopping\n`);
    const launcher = launch();
    await launcher.says('Waiting for the previous run to stop.');
    expect(await launcher.end('SIGTERM')).toBe(0);
    expect(launcher.output).toBe('Waiting for the previous run to stop.\nStopping.\nStopped.\n');
  });

  it('stops at once while it waits for the port of an earlier run', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    writeFileSync(join(dataDir, 'annals.pid'), '4194305\nnode start.mjs\n');
    const launcher = launch();
    await launcher.says(`Waiting for port ${port}.`);
    expect(await launcher.end('SIGTERM')).toBe(0);
    other.close();
  });

  it('starts a child again that dies, and gives up when that does not help', async () => {
    const launcher = await launch().running();
    for (const restarts of [1, 2]) {
      process.kill((await askApi()).pid, 'SIGKILL');
      await launcher.says('The api is running again.', restarts);
      expect(launcher.output).toContain('The api ended unexpectedly (killed by SIGKILL). It is started again in 0 s.');
    }
    process.kill((await askApi()).pid, 'SIGKILL');
    expect(await launcher.exitCode()).toBe(1);
    expect(launcher.output).toMatch(
      /The api ended unexpectedly \(killed by SIGKILL\), 3 times in a row\. It is not started again\.\n$/,
    );
  });

  it('stops, and reports the reason, when its database has ended', async () => {
    const launcher = await onOwnDatabase().running();
    process.kill(postgresPid(), 'SIGQUIT');
    expect(await launcher.exitCode()).toBe(1);
    expect(launcher.output).toContain(`\nPostgreSQL ended unexpectedly; its log is in ${dataDir}.\n`);
  });

  it('leaves nothing running when it is killed, and starts again at once', async () => {
    const killed = await onOwnDatabase().running();
    const { pid, REDIS_URL } = await askApi();
    const server = postgresPid();
    await killed.end('SIGKILL');
    const again = await onOwnDatabase().running();
    await Promise.all([pid, server].map(processEnded));
    const facts = await askApi();
    expect(facts.pid).not.toBe(pid);
    if (REDIS_URL) expect(facts.REDIS_URL).not.toBe(REDIS_URL);
    expect(again.output).toContain(`Data      PostgreSQL in ${join(dataDir, 'postgres')}\n`);
    expect(await again.end('SIGTERM')).toBe(0);
  });
});

describe('npm start reports in one sentence, and leaves nothing running', () => {
  async function refusal(launcher: LauncherProcess): Promise<string> {
    expect(await launcher.exitCode()).toBe(1);
    expect(existsSync(join(dataDir, 'annals.pid'))).toBe(false);
    return launcher.lastLine;
  }

  it('that it runs already', async () => {
    const first = await launch().running();
    const second = launch({ PORT: String(await freePort()) });
    expect(await second.exitCode()).toBe(1);
    expect(second.output).toMatch(/^Annals already uses the data folder .* \(process \d+\)\.\n$/);
    expect(await askApi()).toBeDefined();
    expect(await first.end('SIGTERM')).toBe(0);
  });

  it('that the port is taken', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    expect(await refusal(launch())).toBe(
      `Port ${port} of 127.0.0.1 is in use. Stop the other program, or set PORT to another port.`,
    );
    other.close();
  });

  it.each([
    [{ HOST: '203.0.113.1' }, 'HOST is 203.0.113.1, which is not an address of this machine (EADDRNOTAVAIL).'],
    [{ ANNALS_OWNER_API_KEY: 'x' }, 'ANNALS_OWNER_API_KEY must be exactly 32 letters and digits.'],
    [
      { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/annals' },
      'The database of DATABASE_URL (127.0.0.1:1/annals) cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
    ],
    [
      { REDIS_URL: 'redis://127.0.0.1:1' },
      'The Redis of REDIS_URL (127.0.0.1:1) cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
    ],
    [
      { DATABASE_URL: 'postgres://me:s3cret@127.0.0.1:99999/annals' },
      'DATABASE_URL must look like postgres://user:password@host:5432/database, ' +
        'with special characters of the password percent-encoded (# is %23).',
    ],
    [{ FAKE_SETUP: 'dies' }, 'The setup of the organization failed (exit code 3).'],
    [{ FAKE_API: 'fails' }, 'The uploads cannot be written.'],
  ])('what is wrong with %j', async (env, sentence) => {
    expect(await refusal(launch(env))).toBe(sentence);
  });

  it('that a database does not exist or a password is wrong', async () => {
    const missing = database.url.replace(/[^/]+$/, 'missing');
    expect(await refusal(launch({ DATABASE_URL: missing }))).toMatch(/database "missing" does not exist\.$/);
    const wrong = database.url.replace(/:[^:@]+@/, ':wrong@');
    expect(await refusal(launch({ DATABASE_URL: wrong }))).toMatch(
      /password authentication failed for user "annals"\.$/,
    );
  });

  it('that the data folder cannot be used', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(await refusal(launch({ ANNALS_DATA_DIR: join(file, 'data') }))).toMatch(
      /^The data folder .*file\/data cannot be used: it is not a folder\.$/,
    );
  });
});
