import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { messagesView } from '../../../libs/messages/src/read/placement/messages.view';
import { Caller } from '../../support/server/caller';
import type { TestDatabase } from '../../support/server/database';
import { createTestDatabase } from '../../support/server/database';
import type { AppProcess } from '../../support/processes/processes';
import { RoundRobin } from '../../support/processes/round-robin';
import type { TestFolder } from '../../support/server/test-folder';
import { createTestFolder } from '../../support/server/test-folder';
import { Load } from './load';
import { Release } from './release';

/** A commit whose processes can already be replaced one by one. */
const EARLIER = readFileSync(join(__dirname, 'earlier-commit'), 'utf8').trim();
const VIEW = 'libs/messages/src/read/placement/messages.view';
/** The newer release has the read model in this version. */
const NEXT = messagesView.version + 1;
const LOOK_MS = 100;
/** Requests that have to succeed in each phase. */
const ENOUGH = 100;

describe('an upgrade under load', () => {
  let database: TestDatabase;
  let folder: TestFolder;
  let older: Release;
  let newer: Release;
  let proxy: RoundRobin;
  let sql: Client;
  let load: Load;
  let env: Record<string, string>;
  const output: string[] = [];
  const running = new Set<AppProcess>();

  beforeAll(async () => {
    [older, newer] = [Release.ofCommit(EARLIER), Release.withNewer(VIEW)];
    database = await createTestDatabase({ template: 'template1' });
    folder = await createTestFolder();
    proxy = await RoundRobin.open();
    env = {
      DATABASE_URL: database.url,
      ...(process.env['ANNALS_TEST_REDIS_URL'] ? { REDIS_URL: process.env['ANNALS_TEST_REDIS_URL'] } : {}),
      PORT: '0',
      ANNALS_DATA_DIR: folder.path,
      ANNALS_URL: proxy.url,
      ANNALS_RATE_LIMITS: 'off',
      ANNALS_DRAIN_SECONDS: '1',
      ANNALS_LOG_LEVEL: 'warn',
    };
    const { ownerEmail, apiKey } = JSON.parse(older.annals(env, 'setup', '--json')) as Record<string, string>;
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    const home = { translated: async () => undefined };
    load = new Load(new Caller(home, proxy.url, { email: ownerEmail ?? '', key: apiKey ?? '' }), 'general');
  });
  afterAll(async () => {
    await Promise.all([...running].map((one) => one.stop()));
    await sql.end();
    await proxy.close();
    await database.drop();
    await folder.drop();
    older.drop();
    newer.drop();
  });

  /** Starts a worker and two api processes, and sends requests to these once they are ready. */
  async function start(release: Release): Promise<AppProcess[]> {
    // The listeners count messages.
    const own = release === newer ? { ...env, ANNALS_WELCOME_BOT: 'off' } : env;
    const worker = await release.start('worker', own, (text) => output.push(text));
    running.add(worker);
    const apis = await Promise.all([1, 2].map(() => release.start('api', own, (text) => output.push(text))));
    for (const api of apis) {
      running.add(api);
      await until(async () => (await fetch(`${api.url}/health/ready`)).ok);
      proxy.targets.push(api.url);
    }
    return [worker, ...apis];
  }

  /** Sends no more requests to them, then ends them in order. */
  async function stop(processes: readonly AppProcess[]): Promise<void> {
    proxy.targets = proxy.targets.filter((url) => processes.every((one) => one.url !== url));
    await Promise.all(processes.map((one) => one.stop()));
    for (const one of processes) running.delete(one);
  }

  const row = async () =>
    (
      await sql.query<{ version: number; next: number | null }>(
        `SELECT version, next_version AS next FROM projections WHERE name = 'messages'`,
      )
    ).rows[0];

  async function goOn(): Promise<void> {
    const { requests } = load;
    await until(async () => load.requests >= requests + ENOUGH || load.failed.length > 0);
    expect(load.failed).toEqual([]);
  }

  it('fails no request, be it taken back or carried through', async () => {
    const old = await start(older);
    const first = (await row())?.version ?? 0;
    load.start(4, 3);
    await goOn();

    // The schema is updated below processes of the earlier version.
    newer.annals(env, 'setup', '--json');
    await goOn();

    const tried = await start(newer);
    expect(await row()).toEqual({ version: first, next: NEXT });
    await goOn();
    await stop(tried);
    await until(async () => (await row())?.next === null);
    expect(await row()).toEqual({ version: first, next: null });
    await goOn();

    const current = await start(newer);
    expect(await row()).toEqual({ version: first, next: NEXT });
    await goOn();
    await stop(old);
    await until(async () => (await row())?.next === null);
    expect(await row()).toEqual({ version: NEXT, next: null });
    await goOn();

    await load.stop();
    expect(load.failed).toEqual([]);
    const stored = [...load.acknowledged].sort((a, b) => a - b);
    for (const received of load.received) expect(received).toEqual(stored);
    expect(newer.annals(env, 'verify')).toBeTruthy();
    expect(newer.annals(env, 'views', 'rebuild', 'messages')).toContain('equal to the live version');
    await stop(current);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(LOOK_MS);
}
