import { setTimeout as pause } from 'node:timers/promises';
import type { Fact, RealmId } from '@annals/kernel/domain';
import { kernelContext } from '@annals/kernel';
import { Cli, runCli } from '../../../../../test/support/processes/cli';
import { bySystem } from '../../../../../test/support/server/system';
import type { TestServer } from '../../../../../test/support/server/server';
import { startTestServer } from '../../../../../test/support/server/server';

/** More than two pages of the build. */
const APPENDS = 3;
const EVENTS = 4_000;
const ADDRESS = /position (\d+), (\S+): (http:\/\/127\.0\.0\.1:\d+)/;

let server: TestServer;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  env = { DATABASE_URL: server.databaseUrl, ANNALS_DATA_DIR: server.dataDir, ANNALS_RATE_LIMITS: 'off' };
});
afterAll(() => server.close());

/** Makes the log so long that its build can be killed half-way. */
async function appendPages(): Promise<void> {
  const [definition] = kernelContext.events;
  const one: Fact = { type: definition?.type ?? '', data: {}, sealed: null };
  for (let n = 0; n < APPENDS; n++)
    await bySystem(server.kernel, (work) => {
      for (let m = 0; m < EVENTS; m++) work.append('log', [one]);
    });
}

const head = async () => (await server.kernel.events.heads()).get(1 as RealmId) ?? 0;
const rows = async (text: string) => (await server.kernel.database.pool.query<object>(text)).rows;
const left = () =>
  rows(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'past%' UNION ALL SELECT position::text FROM pasts`);

/** `annals past` in a process of its own. */
class PastProcess extends Cli {
  private printed = '';

  constructor(...args: readonly string[]) {
    super(env, 'past', '--port', '0', ...args);
    this.child.stdout?.on('data', (text) => (this.printed += String(text)));
  }

  /** Resolves with the address when it serves. */
  served(): Promise<string> {
    return this.until(async () => ADDRESS.exec(this.printed)?.[3]);
  }

  /** The first answer that is not undefined. @throws Error with what the process said if it ends before */
  async until<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error((await this.end()).err);
      await pause(20);
    }
  }

  async endedBy(signal: NodeJS.Signals) {
    this.child.kill(signal);
    return this.end();
  }
}

/** Kills a build that has read a page or more. It cannot end before, because that changes a row that is locked here. */
async function killInItsMiddle(building: PastProcess, position: number): Promise<void> {
  const holder = await server.kernel.database.pool.connect();
  await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  const found = async (text: string) => ((await holder.query(text)).rowCount ? true : undefined);
  await building.until(() => found('SELECT FROM pasts FOR UPDATE'));
  await building.until(() => found(`SELECT FROM past_1_${position}.projection_checkpoints WHERE position >= 5000`));
  await building.endedBy('SIGKILL');
  // PostgreSQL would carry out what the dead process waited for.
  await holder.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE pasts%'`);
  await holder.query('ROLLBACK');
  holder.release();
}

describe('annals past', () => {
  it('serves a moment, says where and which one, and leaves nothing when it is interrupted', async () => {
    const position = await head();
    const process = new PastProcess('--at', String(position));
    const url = await process.served();
    expect((await server.owner.at(url).get('/users/me')).status).toBe(200);
    const hanging = server.owner.at(url).register();
    const { queue_id, last_event_id } = await hanging;
    const poll = server.owner.at(url).poll(queue_id, last_event_id);
    // A poll that arrives during the end is refused. Later requests are answered after it began to wait, however slow the machine is.
    for (let n = 0; n < 10; n++) expect((await server.owner.at(url).get('/users/me')).status).toBe(200);
    const { out, err, code } = await process.endedBy('SIGINT');
    expect(await poll).toMatchObject([{ type: 'heartbeat' }]);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toContain(`Realm 1 as it was at position ${position}, 2026-01-01T00:00:00.000Z: ${url}`);
    expect(await left()).toEqual([]);
  });

  it('is served at once again after it was killed, and status and verify do not mind what it left', async () => {
    const position = await head();
    const killed = new PastProcess('--at', String(position));
    await killed.served();
    await killed.endedBy('SIGKILL');
    expect(await left()).toHaveLength(2);
    expect(await runCli(env, 'status')).toMatchObject({ code: 0 });
    expect((await runCli(env, 'status')).out).toContain(`realm 1 at ${position}: complete`);
    expect(await runCli(env, 'verify')).toMatchObject({ code: 0 });
    const other = new PastProcess('--at', String(position - 1));
    await other.served();
    expect(await left()).toHaveLength(2);
    await other.endedBy('SIGINT');
    expect(await left()).toEqual([]);
  });

  it('holds nothing after two interrupts', async () => {
    const position = await head();
    const process = new PastProcess('--at', String(position));
    await process.served();
    process.child.kill('SIGINT');
    await process.endedBy('SIGINT');
    const again = new PastProcess('--at', String(position));
    await again.served();
    await again.endedBy('SIGINT');
    expect(await left()).toEqual([]);
  });

  it.each([
    [['--at', 'yesterday'], "'yesterday' is not a moment that the log has reached"],
    [['--at', '99999999'], "'99999999' is not a moment that the log has reached"],
    [['--at', '0'], 'There was no organization at that moment.'],
    [['--at', '1990-01-01T00:00:00Z'], 'There was no organization at that moment.'],
    [['--at', '5', '--realm', '7'], 'There is no realm 7.'],
    [['--at', '5', '--port', '70000'], 'PORT must be a whole number from 0 to 65535.'],
    [['--at', '5', '--url', 'nowhere'], 'ANNALS_URL must look like https://chat.example.com'],
  ])('%j is refused in one sentence', async (args, why) => {
    const run = await runCli(env, 'past', ...args);
    expect(run).toMatchObject({ code: 1, out: '' });
    expect(run.err).toContain(why);
    expect(await left()).toEqual([]);
  });

  it('refuses a moment before the organization was there, and a port that is taken', async () => {
    expect((await runCli(env, 'past', '--at', '2', '--port', new URL(server.url).port)).err).toMatch(
      /port is taken|no organization/,
    );
    expect(await left()).toEqual([]);
  });

  it('continues after it was killed in the middle of its build', async () => {
    await appendPages();
    const position = await head();
    const killed = new PastProcess('--at', `p${position}`);
    await killInItsMiddle(killed, position);
    const [before] = await rows('SELECT id FROM pasts WHERE NOT is_complete');
    expect(before).toBeDefined();
    const process = new PastProcess('--at', String(position));
    const url = await process.served();
    expect((await server.owner.at(url).register()).last_event_id).toBeGreaterThan(0);
    expect(await rows('SELECT id, is_complete FROM pasts')).toEqual([{ ...before, is_complete: true }]);
    await process.endedBy('SIGTERM');
    expect(await left()).toEqual([]);
  });
});
