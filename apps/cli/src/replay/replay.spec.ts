import { once } from 'node:events';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { granted } from '../../../../test/support/server/caller';
import type { TestDatabase } from '../../../../test/support/server/database';
import { createTestDatabase } from '../../../../test/support/server/database';
import { readSettings } from '../../../shared/src/settings';
import type { ServerWithUsers } from '../../../../test/support/server/start-with-users';
import { startWithUsers } from '../../../../test/support/server/start-with-users';
import type { TestFolder } from '../../../../test/support/server/test-folder';
import { createTestFolder } from '../../../../test/support/server/test-folder';
import type { ReplayOptions } from './replay';
import { replay } from './replay';

let users: ServerWithUsers;
let folder: TestFolder;
let message: number;
let head: number;
/** A zuliprc of the member, who may read what people wrote. */
let auditor: string;

beforeAll(async () => {
  users = await startWithUsers();
  folder = await createTestFolder();
  const { owner, member } = users;
  const post = async (content: string) =>
    granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic: 't', content })).id;
  message = await post('first words');
  granted(await owner.patch(`/messages/${message}`, { content: 'second words' }));
  granted(await owner.delete(`/messages/${await post('gone')}`));
  granted(await member.post('/messages', { type: 'direct', to: [owner.id], content: 'between us' }));
  const named = { direct_members: [member.id], direct_subgroups: [] };
  granted(await owner.patch('/realm', { can_audit_content_group: { new: named } }));
  await users.server.translated();
  head = Math.max(...(await users.server.kernel.events.heads()).values());
  auditor = join(folder.path, 'zuliprc');
  await writeFile(auditor, `[api]\nemail=${member.email}\nkey=${member.key}\nsite=http://127.0.0.1\n`);
});
afterAll(async () => {
  await users.server.close();
  await folder.drop();
});

const run = async (
  options: Partial<ReplayOptions> & Pick<ReplayOptions, 'into'>,
  signal = new AbortController().signal,
) => {
  const said: string[] = [];
  const settings = readSettings({ DATABASE_URL: users.server.databaseUrl, ANNALS_DATA_DIR: folder.path });
  const { kernel } = users.server;
  const line = async (one: string) => void said.push(one);
  const print = (one: string) => void said.push(one);
  const all = { types: [], subject: null, speed: null, resume: false, words: null, headers: {} };
  const code = await replay({ ...all, ...options }, { kernel, settings, print, line, signal });
  return { code, said };
};
const linesOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as { position: number; type: string; sealed: unknown; sealed_state: string });

describe('annals replay into a file', () => {
  it('writes every event in order, without what people wrote', async () => {
    const file = join(folder.path, 'all.ndjson');
    expect(await run({ into: file })).toEqual({ code: 0, said: [`${head} events were written`] });
    const lines = await linesOf(file);
    expect(lines.map(({ position }) => position)).toEqual(Array.from({ length: head }, (_, n) => n + 1));
    expect(lines[message - 1]).toMatchObject({ type: 'messages.MessageSent', sealed: null, sealed_state: 'withheld' });
    expect(await readFile(file, 'utf8')).not.toContain('first words');
  });

  it('includes what people wrote for an account that may read it', async () => {
    const file = join(folder.path, 'words.ndjson');
    expect(await run({ into: file, words: auditor, from: String(message - 1), to: `p${message}` })).toMatchObject({
      code: 0,
    });
    expect(await linesOf(file)).toMatchObject([
      { sealed: { words: { content: 'first words' } }, sealed_state: 'shown' },
    ]);
  });

  it('refuses what people wrote to others', async () => {
    const { owner } = users;
    const rc = join(folder.path, 'owner-rc');
    const withKey = (key: string) => writeFile(rc, `email=${owner.email}\nkey=${key}\n`);
    await withKey(owner.key);
    const refused = (code: string) => expect.objectContaining({ code }) as Error;
    await expect(run({ into: '-', words: rc })).rejects.toThrow(refused('UNAUTHORIZED_AUDIT'));
    await withKey('x'.repeat(32));
    await expect(run({ into: '-', words: rc })).rejects.toThrow(refused('INVALID_API_KEY'));
    await expect(run({ into: '-', words: `${rc}-missing` })).rejects.toThrow('cannot be read');
  });

  it('continues after the last whole line', async () => {
    const file = join(folder.path, 'broken.ndjson');
    await run({ into: file, to: '20' });
    await expect(run({ into: file })).rejects.toThrow('exists');
    await appendFile(file, '{"realm_id":1,"position":21,"str');
    await run({ into: file, resume: true });
    expect((await linesOf(file)).map(({ position }) => position)).toEqual(
      Array.from({ length: head }, (_, n) => n + 1),
    );
    await truncate(file, 5);
    await run({ into: file, resume: true });
    expect(await linesOf(file)).toHaveLength(head);
    await writeFile(file, 'something else\n');
    await expect(run({ into: file, resume: true })).rejects.toThrow('is not an event of a log');
  });
});

describe('annals replay to standard output', () => {
  it('selects by type and subject', async () => {
    const { said } = await run({ into: '-', types: ['messages.*'], subject: ['message', message] });
    const types = said.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['messages.MessageSent', 'messages.ContentEdited']);
  });

  it('refuses types and things that no event has', async () => {
    await expect(run({ into: '-', types: ['messages.*', 'mesages.*'] })).rejects.toThrow(
      'No event has the type mesages.*',
    );
    await expect(run({ into: '-', subject: ['planet', 3] })).rejects.toThrow('No event is about a planet');
    expect((await run({ into: '-', subject: ['realm', 0], types: ['realm.Created'] })).said).toHaveLength(1);
  });

  it('refuses a moment that is none, an organization that does not exist, and a continuation', async () => {
    await expect(run({ into: '-', from: 'yesterday' })).rejects.toThrow('is not a moment');
    await expect(run({ into: '-', realm: 77 })).rejects.toThrow('no such organization');
    await expect(run({ into: '-', resume: true })).rejects.toThrow('cannot be continued');
  });
});

describe('annals replay into an empty database', () => {
  let copy: TestDatabase;
  beforeEach(async () => void (copy = await createTestDatabase()));
  afterEach(() => copy.drop());

  /** Each table of a read model, and the log, as one digest. */
  async function digests(url: string): Promise<Record<string, string>> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname ~ '^view_'
          UNION ALL SELECT 'public.events' ORDER BY 1`,
      );
      const digest = async (name: string) => {
        const { rows: found } = await client.query<{ digest: string }>(
          `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest FROM ${name} AS t`,
        );
        return [name, found[0]?.digest] as const;
      };
      const all: (readonly [string, string | undefined])[] = [];
      for (const { name } of rows) all.push(await digest(name));
      return Object.fromEntries(all) as Record<string, string>;
    } finally {
      await client.end();
    }
  }

  it('gives the same events and the same read models, row by row', async () => {
    const { code, said } = await run({ into: copy.url, words: auditor });
    expect({ code, first: said[0] }).toEqual({ code: 0, first: `${head} events were written` });
    expect(await digests(copy.url)).toEqual(await digests(users.server.databaseUrl));
    await expect(run({ into: copy.url, resume: true })).rejects.toThrow('an Annals already');
  });

  it('continues what was interrupted, and refuses another log', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await run({ into: copy.url }, stop.signal)).toEqual({ code: 1, said: ['Stopped. Continue with --resume.'] });
    await expect(run({ into: copy.url, from: '5' })).rejects.toThrow('leave out --from');
    await expect(run({ into: copy.url, types: ['users.*'] })).rejects.toThrow('leave out --types');
    const client = new Client({ connectionString: copy.url });
    await client.connect();
    await client.query('INSERT INTO realm_heads VALUES (1, 1, 0)');
    await expect(run({ into: copy.url })).rejects.toThrow('not empty');
    await expect(run({ into: copy.url, resume: true })).rejects.toThrow('other events of realm 1 after position 0');
    await client.query('DELETE FROM realm_heads');
    await client.end();
    expect(await run({ into: copy.url, resume: true })).toMatchObject({ code: 0 });
    const [ours, theirs] = [await digests(users.server.databaseUrl), await digests(copy.url)];
    expect(Object.keys(theirs)).toEqual(Object.keys(ours));
    expect(theirs['view_memberships_1.memberships']).toBe(ours['view_memberships_1.memberships']);
  });
});

describe('annals replay into a server', () => {
  let server: Server;
  let url: string;
  const received: number[] = [];
  let answers: number[];
  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const status = answers.shift() ?? 200;
        response.writeHead(status).end();
        if (status !== 200 || request.headers['x-token'] !== 'abc') return;
        for (const line of body.trim().split('\n')) received.push((JSON.parse(line) as { position: number }).position);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    received.splice(0);
    answers = [];
  });
  const headers = { 'X-Token': 'abc' };
  const all = () => Array.from({ length: head }, (_, n) => n + 1);

  it('sends every event, again if the server is busy', async () => {
    answers = [503];
    expect(await run({ into: url, headers })).toMatchObject({ code: 0 });
    expect(received).toEqual(all());
  });

  it('ends when the server refuses, and continues after what it has confirmed', async () => {
    answers = [400];
    await expect(run({ into: url, headers, to: '30' })).rejects.toThrow('did not take the events: status 400');
    expect(await run({ into: url, headers, to: '30', resume: true })).toMatchObject({ code: 0 });
    expect(received).toEqual(all().slice(0, 30));
    expect(await run({ into: url, headers, resume: true })).toMatchObject({ code: 0 });
    expect(received).toEqual(all());
    await expect(run({ into: `${url}/other`, headers, resume: true })).rejects.toThrow('no interrupted replay');
  });
});
