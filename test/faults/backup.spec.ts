import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kernel, restoreBackup } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import { pino } from 'pino';
import { contexts } from '../../apps/shared/src/contexts';
import { filesFolderOf } from '../../apps/shared/src/modules/file-store';
import { Caller, granted } from '../support/server/caller';
import { runCli } from '../support/processes/cli';
import type { TestDatabase } from '../support/server/database';
import { createTestDatabase } from '../support/server/database';
import { brokenLaws } from '../support/laws/laws';
import type { Person } from '../support/server/organization';
import type { ProcessServer } from '../support/processes/processes';
import { AppProcess, startProcesses } from '../support/processes/processes';
import { settled } from '../support/server/settled';
import type { TestFolder } from '../support/server/test-folder';
import { createTestFolder } from '../support/server/test-folder';
import { fetched, uploadFile } from '../support/requests/uploads';

let server: ProcessServer;
let ann: Person;
let bot: Person;
let channel: ChannelId;
let folder: TestFolder;
let backedUp: string;
let file: string;

/** Ids of messages that were acknowledged before the backup began, and while it ran. */
const before: number[] = [];
const meanwhile: number[] = [];

async function send(content: string): Promise<number> {
  const message = { type: 'channel', to: channel, topic: 'backed up', content };
  return granted(await ann.post<{ id: number }>('/messages', message)).id;
}

/** Writes until it is stopped. */
async function writeOn(stop: AbortSignal): Promise<void> {
  for (let n = 0; !stop.aborted; n++) {
    meanwhile.push(await send(`meanwhile ${n}`));
    if (n % 5 === 0) await uploadFile(ann, `bytes ${n}`);
  }
}

beforeAll(async () => {
  server = await startProcesses();
  folder = await createTestFolder();
  backedUp = join(folder.path, 'backup');
  ann = await server.person({ name: 'Ann Åström' });
  bot = await server.bot(ann);
  granted(await bot.put('/bot_storage', { storage: { counter: '7' } }));
  channel = await server.channel(server.owner, { subscribers: [server.owner, ann] });
  file = (await uploadFile(ann, 'what the file says')).url;
  for (let n = 0; n < 50; n++) before.push(await send(`before ${n} \\N \n\t ${'x'.repeat(n)} [file](${file})`));
  const stop = new AbortController();
  const writing = writeOn(stop.signal);
  while (meanwhile.length < 3) await new Promise(setImmediate);
  const { code, err, out } = await runCli(server.env, 'backup', backedUp);
  stop.abort();
  await writing;
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^realm 1: up to position \d+\n\d+ rows of \d+ tables, \d+ files \(\d+ bytes\)\nDone\./);
});
afterAll(async () => {
  await server.close();
  await folder.drop();
});

describe('annals backup', () => {
  it('writes hashes that sha256sum can check, and for its owner alone', () => {
    const sums = readFileSync(join(backedUp, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const names = sums.map((line) => line.slice(66));
    for (const line of sums) {
      const [sum, name] = [line.slice(0, 64), line.slice(66)];
      expect(
        createHash('sha256')
          .update(readFileSync(join(backedUp, name)))
          .digest('hex'),
      ).toBe(sum);
      expect(statSync(join(backedUp, name)).mode & 0o077).toBe(0);
    }
    expect(statSync(backedUp).mode & 0o077).toBe(0);
    const there = readdirSync(backedUp, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(there).toHaveLength(names.length + 1);
  });

  it('has one state of the log: everything acknowledged before, and nothing after its end', () => {
    const manifest = JSON.parse(readFileSync(join(backedUp, 'manifest.json'), 'utf8')) as {
      heads: Record<string, number>;
      tables: { name: string; rows: number }[];
    };
    const head = manifest.heads['1'] ?? 0;
    expect(head).toBeGreaterThanOrEqual(Math.max(...before));
    expect(head).toBeLessThanOrEqual(Math.max(...meanwhile));
    const rows = new Map(manifest.tables.map((table) => [table.name, table.rows]));
    expect(rows.get('events')).toBe(head);
    for (const left of ['installation', 'migrations', 'client_queues', 'client_events'])
      expect(rows.has(left)).toBe(false);
  });

  it('is refused where something is already, and leaves nothing when it fails', async () => {
    expect(await runCli(server.env, 'backup', backedUp)).toMatchObject({
      code: 1,
      err: `${backedUp} is not empty\n`,
    });
    const other = join(folder.path, 'failed');
    const nothing = await createTestDatabase({ template: 'template0' });
    expect(await runCli({ ...server.env, DATABASE_URL: nothing.url }, 'backup', other)).toMatchObject({
      code: 1,
      err: 'the database is empty: run annals setup first\n',
    });
    expect(readdirSync(other)).toEqual([]);
    await nothing.drop();
  });
});

describe('annals restore', () => {
  let database: TestDatabase;
  let data: TestFolder;
  let env: Readonly<Record<string, string>>;
  beforeEach(async () => {
    database = await createTestDatabase({ template: 'template0' });
    data = await createTestFolder();
    env = { ...server.env, DATABASE_URL: database.url, ANNALS_DATA_DIR: data.path };
  });
  afterEach(async () => {
    await database.drop();
    await data.drop();
  });

  const options = () => ({
    databaseUrl: database.url,
    files: filesFolderOf({ ANNALS_DATA_DIR: data.path }),
    contexts,
  });
  const withKernel = async <T>(run: (kernel: Kernel) => Promise<T>): Promise<T> => {
    const kernel = await Kernel.open({
      databaseUrl: database.url,
      redisUrl: server.env['REDIS_URL'],
      contexts,
      log: pino({ level: 'fatal' }),
      poolSize: 4,
    });
    try {
      return await run(kernel);
    } finally {
      await kernel.close();
    }
  };

  it('gives a server that has everything, and that is whole', async () => {
    const { code, out, err } = await runCli(env, 'restore', backedUp);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /\nrealm 1: restored up to position \d+, continues from there\nDone\. Check it with "annals verify"/,
    );
    expect(await runCli(env, 'verify')).toMatchObject({ code: 0 });
    const started: AppProcess[] = [];
    try {
      for (const app of ['worker', 'api'] as const)
        started.push(await AppProcess.start(app, { ...env, PORT: '0' }, () => undefined));
      const url = started[1]?.url ?? '';
      const stranger = new Caller(server, url);
      const login = { username: ann.email, password: ann.password };
      granted(await stranger.post('/fetch_api_key', login));
      const own = ann.at(url);
      const { messages } = granted(
        await own.get<{ messages: { id: number; content: string }[] }>('/messages', {
          anchor: 'oldest',
          num_before: 0,
          num_after: 1_000,
          narrow: [{ operator: 'topic', operand: 'backed up' }],
          apply_markdown: false,
        }),
      );
      expect(messages.slice(0, before.length).map(({ id }) => id)).toEqual(before);
      expect(messages[7]?.content).toBe(`before 7 \\N \n\t xxxxxxx [file](${file})`);
      expect(await fetched(ann, file, { url })).toEqual({ status: 200, text: 'what the file says' });
      expect(granted(await bot.at(url).get('/bot_storage'))).toMatchObject({ storage: { counter: '7' } });
      const queue = await own.register({ event_types: ['message'], fetch_event_types: [] });
      const message = { type: 'channel', to: channel, topic: 'restored', content: 'again' };
      const { id } = granted(await own.post<{ id: number }>('/messages', message));
      expect((await own.events(queue)).map((event) => (event['message'] as { id: number }).id)).toEqual([id]);
      await withKernel(settled);
    } finally {
      for (const one of started) await one.stop();
    }
    expect(await withKernel(brokenLaws)).toEqual([]);
  });

  it('refuses bytes that were changed', async () => {
    const copy = join(data.path, 'copy');
    await mkdir(copy);
    for (const name of ['tables', 'files']) await mkdir(join(copy, name), { recursive: true });
    for (const entry of readdirSync(backedUp, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(backedUp.length + 1);
      if (entry.isDirectory()) await mkdir(join(copy, path), { recursive: true });
      else writeFileSync(join(copy, path), readFileSync(join(backedUp, path)));
    }
    const events = join(copy, 'tables', 'events.copy.gz');
    const content = readFileSync(events);
    content[content.length - 20] = (content[content.length - 20] ?? 0) ^ 1;
    writeFileSync(events, content);
    const tampered = await runCli(env, 'restore', copy);
    expect(tampered.code).toBe(1);
    expect(tampered.err).not.toBe('');
    rmSync(join(copy, 'SHA256SUMS'));
    expect(await runCli(env, 'restore', copy)).toMatchObject({
      code: 1,
      err: `${copy} is not a complete backup: SHA256SUMS is missing\n`,
    });
    // A restore that failed before is no reason to refuse the next one.
    await restoreBackup(backedUp, options());
    await expect(restoreBackup(backedUp, options())).rejects.toThrow('the database is not empty');
  });
});
