import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import type { Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { Then } from '../../support/server/past';
import { afterMinutes, inPast, thisMoment } from '../../support/server/past';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const HOUR = 60 * 60 * 1_000;

let server: TestServer;
let ann: Person;
let bob: Person;
let plans: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  plans = await server.channel(server.owner, { name: 'plans', subscribers: [ann, bob] });
});
afterAll(() => server.close());

const say = async (topic: string, content: string, by: Caller = ann): Promise<MessageId> =>
  granted(await by.post<{ id: MessageId }>('/messages', { type: 'channel', to: plans, topic, content })).id;
const READ_ONLY = { status: 400, body: { result: 'error', code: 'READ_ONLY_PAST' } };

/** Method, path, audience and command of every endpoint. */
const ROUTES = readFileSync(join(__dirname, '../routes.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([method = '', path = '', audience = '', command = '']) => ({ method, path, audience, command }));

/** It leads to another server while the organization has no icon of its own. */
const REDIRECT = '/api/v1/realm/icon';

/** They contain the address of the server, which is another one. */
const OF_ITS_ADDRESS: ReadonlySet<string> = new Set(['/api/v1/server_settings', '/api/v1/feed/asyncapi']);
/** Keys are secrets, which a past does not have. */
const OF_SECRETS = '/api/v1/users/me/api_keys';
/** What they were offered is beside the log, so it changes without commands. */
const CONSUMERS = '/api/v1/feed/consumers/';

describe('the past of an organization', () => {
  it('shows messages as they were: their texts, their topics, and those that were deleted since', async () => {
    const [edited, moved, deleted] = [await say('a', 'first words'), await say('b', 'moved'), await say('c', 'gone')];
    granted(await bob.post(`/messages/${edited}/reactions`, { emoji_name: 'tada' }));
    const then = await thisMoment(server);
    granted(await ann.patch(`/messages/${edited}`, { content: 'second words' }));
    granted(await server.owner.patch(`/messages/${moved}`, { topic: 'elsewhere', propagate_mode: 'change_all' }));
    granted(await server.owner.delete(`/messages/${deleted}`));
    granted(await server.owner.patch(`/streams/${plans}`, { new_name: 'plots' }));
    granted(await server.owner.patch(`/users/${bob.id}`, { full_name: 'Robert' }));
    await say('d', 'later');
    await inPast(server, then, async (url) => {
      const past = ann.at(url);
      const narrow = [{ operator: 'channel', operand: 'plans' }];
      const asked = { anchor: 'newest', num_before: 3, num_after: 0, narrow };
      const { messages } = granted(await past.get<{ messages: object[] }>('/messages', asked));
      expect(messages).toMatchObject([
        { id: edited, content: '<p>first words</p>', subject: 'a', reactions: [{ user_id: bob.id }] },
        { id: moved, content: '<p>moved</p>', subject: 'b' },
        { id: deleted, content: '<p>gone</p>', subject: 'c' },
      ]);
      const search = { ...asked, narrow: [{ operator: 'search', operand: 'first' }] };
      expect(granted(await past.get('/messages', search))).toMatchObject({ messages: [{ id: edited }] });
      expect(granted(await past.get(`/users/${bob.id}`))).toMatchObject({ user: { full_name: 'Bob' } });
      expect(granted(await past.get('/streams'))).toMatchObject({
        streams: expect.arrayContaining([expect.objectContaining({ name: 'plans' })]) as unknown,
      });
      expect(granted(await past.get(`/messages/${edited}/history`))).toMatchObject({
        message_history: [{ content: 'first words' }],
      });
    });
    granted(await server.owner.patch(`/streams/${plans}`, { new_name: 'plans' }));
    granted(await server.owner.patch(`/users/${bob.id}`, { full_name: 'Bob' }));
  });

  it('answers every endpoint without parameters as the live server did then', async () => {
    const paths = ROUTES.filter(
      ({ method, path, command }) => method === 'GET' && command === '-' && !/[:*]/.test(path),
    )
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/api/v1/') && path !== '/api/v1/events' && !OF_ITS_ADDRESS.has(path))
      .filter((path) => !path.startsWith('/api/v1/audit/') && path !== REDIRECT && path !== OF_SECRETS)
      .map((path) => path.replace('/api/v1', ''));
    const answers = async (caller: Caller) =>
      Promise.all(paths.map(async (path) => [path, (await caller.get(path)).body] as const));
    const everybody = [server.owner, ann, bob];
    const then = await thisMoment(server);
    const before = await Promise.all(everybody.map(answers));
    await say('later', 'later');
    granted(await server.owner.post('/users/me/alert_words', { alert_words: ['later'] }));
    await server.person();
    await inPast(server, then, async (url) => {
      expect(await Promise.all(everybody.map((one) => answers(one.at(url))))).toEqual(before);
    });
  });

  it('shows consumers, and offers them nothing', async () => {
    const consumer = await ConsumerCaller.created(server.owner, 'of-the-present');
    await say('a', 'for the consumer');
    const then = await thisMoment(server);
    const shown = await consumer.shown();
    await inPast(server, then, async (url) => {
      const { name } = consumer;
      const past = new ConsumerCaller(server.owner.at(url), name);
      expect(await past.shown()).toMatchObject({ name, state: shown['state'] });
      expect(await past.ask()).toMatchObject(READ_ONLY);
      expect(await past.ack({ through: '1/1' })).toMatchObject(READ_ONLY);
      expect(await past.parkedAct('skip', { all: true })).toMatchObject(READ_ONLY);
    });
    expect((await consumer.pull()).length).toBeGreaterThan(0);
  });

  it('refuses every endpoint with a command, and no other', async () => {
    const bot = await server.bot(server.owner);
    const then = await thisMoment(server);
    await inPast(server, then, async (url) => {
      const call = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;
      const read: string[] = [];
      for (const { method, path, audience, command } of ROUTES.filter(({ path: at }) => at.startsWith('/api/v1/'))) {
        const filled = path.replace('/api/v1', '').replaceAll(/[:*](\w+)/g, '1');
        if ((filled === '/events' && method === 'GET') || filled === '/audit/events/stream') continue;
        if (path === REDIRECT && method === 'GET') continue;
        const past = (audience === 'bots' ? bot : server.owner).at(url);
        const answer = await past[call[method as keyof typeof call]](filled);
        expect(answer.status).toBeLessThan(500);
        if (command !== '-') expect({ path, ...answer }).toMatchObject({ path, ...READ_ONLY });
        else if (!path.startsWith('/api/v1/audit/') && !path.startsWith(CONSUMERS))
          expect(answer.body.code).not.toBe('READ_ONLY_PAST');
        if (command === '-' && method !== 'GET' && !path.startsWith(CONSUMERS)) read.push(`${method} ${path}`);
      }
      expect(read).toEqual(['DELETE /api/v1/events', 'POST /api/v1/messages/render', 'POST /api/v1/register']);
      const login = { username: ann.email, password: ann.password };
      expect(await server.anonymous.at(url).post('/fetch_api_key', login)).toMatchObject(READ_ONLY);
    });
    expect(await thisMoment(server)).toEqual(then);
  });

  it('refuses reads of the trail that would have to be recorded', async () => {
    await inPast(server, await thisMoment(server), async (url) => {
      expect(await server.owner.at(url).get('/audit/events')).toMatchObject(READ_ONLY);
      expect((await server.owner.at(url).get('/audit/positions', { position: 3 })).status).toBe(200);
    });
  });

  it('serves those who need no login, and renders', async () => {
    await inPast(server, await thisMoment(server), async (url) => {
      const settings = granted(await server.anonymous.at(url).get('/server_settings'));
      expect(settings).toMatchObject({ realm_url: url, realm_name: 'Annals' });
      expect(granted(await ann.at(url).post('/messages/render', { content: '*a*' }))).toMatchObject({
        rendered: '<p><em>a</em></p>',
      });
      expect((await server.anonymous.at(url).get('/users/me')).status).toBe(401);
    });
  });

  it('serves files, also by temporary links, whose key it does not take from the live server', async () => {
    const form = new FormData();
    form.set('filename', new Blob(['bytes']), 'a.txt');
    const authorization = `Basic ${btoa(`${ann.email}:${ann.key}`)}`;
    const sent = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      body: form,
      headers: { authorization },
    });
    const { url: file } = (await sent.json()) as { url: string };
    const { pool } = server.kernel.database;
    const secrets = async () => (await pool.query('SELECT id FROM secrets ORDER BY 1')).rowCount;
    const before = await secrets();
    await inPast(server, await thisMoment(server), async (url) => {
      const got = await fetch(url + file, { headers: { authorization } });
      expect([got.status, await got.text()]).toEqual([200, 'bytes']);
      const { url: link } = granted(await ann.at(url).get<{ url: string }>(file));
      expect(await (await fetch(url + link)).text()).toBe('bytes');
      const again = await fetch(`${url}/api/v1/user_uploads`, {
        method: 'POST',
        body: form,
        headers: { authorization },
      });
      expect(await again.json()).toMatchObject({ code: 'READ_ONLY_PAST' });
    });
    expect(await secrets()).toBe(before);
  });
});

describe('a queue of the past', () => {
  it('waits, receives no present events, gets heartbeats, and ends', async () => {
    await inPast(server, await thisMoment(server), async (url) => {
      const past = ann.at(url);
      const queue = await past.register();
      expect(await past.events(queue)).toEqual([]);
      const hanging = past.poll(queue.queue_id, queue.last_event_id);
      await say('now', 'something new');
      const [heartbeat, ...others] = await afterMinutes(server, hanging);
      expect([heartbeat, others]).toEqual([{ type: 'heartbeat', id: expect.any(Number) as number }, []]);
      expect(await past.delete('/events', { queue_id: queue.queue_id })).toMatchObject({ status: 200 });
      expect(await past.get('/events', { queue_id: queue.queue_id, last_event_id: -1 })).toMatchObject({
        body: { code: 'BAD_EVENT_QUEUE_ID' },
      });
    });
  });

  it('is unknown to the live server, and those of the live server to the past', async () => {
    const { pool } = server.kernel.database;
    const queues = async () =>
      (await pool.query<object>('SELECT id, cursor, seen FROM client_queues ORDER BY id')).rows.length;
    const live = await ann.register();
    const before = await queues();
    await inPast(server, await thisMoment(server), async (url) => {
      const queue = await ann.at(url).register();
      expect(await queues()).toBe(before);
      const unknown = { body: { code: 'BAD_EVENT_QUEUE_ID' } };
      const asked = ({ queue_id, last_event_id }: typeof queue) => ({ queue_id, last_event_id, dont_block: true });
      expect(await ann.get('/events', asked(queue))).toMatchObject(unknown);
      expect(await ann.at(url).get('/events', asked(live))).toMatchObject(unknown);
    });
  });
});

describe('logins to the past', () => {
  let then: Then;
  let person: Person;
  beforeEach(async () => {
    person = await server.person();
    then = await thisMoment(server);
  });
  const me = (caller: Caller) => caller.get('/users/me');

  it('are made with the keys of today, whose use is not recorded', async () => {
    const { api_key: key } = granted(await person.post<{ api_key: string }>('/users/me/api_key/regenerate'));
    const { pool } = server.kernel.database;
    const used = async () =>
      (await pool.query<object>('SELECT id, used_at FROM secrets ORDER BY id')).rows.map((row) => JSON.stringify(row));
    server.clock.advance(3 * HOUR);
    const before = await used();
    await inPast(server, then, async (url) => {
      expect(await me(person.at(url))).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
      const renewed = server.as({ email: person.email, key }).at(url);
      expect(granted(await me(renewed))).toMatchObject({ user_id: person.id });
      expect(await used()).toEqual(before);
      granted(await server.as({ email: person.email, key }).post('/users/me/api_key/regenerate'));
      expect(await me(renewed)).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    });
  });

  it('use the email of today, with the role of then', async () => {
    granted(await server.owner.patch(`/users/${person.id}`, { role: 200, new_email: 'promoted@example.com' }));
    await inPast(server, then, async (url) => {
      const now = server.as({ email: 'promoted@example.com', key: person.key }).at(url);
      expect(granted(await me(now))).toMatchObject({ user_id: person.id, role: 400, delivery_email: person.email });
    });
  });

  it('are refused to accounts that are deactivated today, that were then, and that did not exist', async () => {
    const newcomer = await server.person();
    const deactivated = { status: 401, body: { code: 'USER_DEACTIVATED' } };
    granted(await server.owner.delete(`/users/${person.id}`));
    await inPast(server, then, async (url) => {
      expect(await me(person.at(url))).toMatchObject(deactivated);
      expect(await me(newcomer.at(url))).toMatchObject(deactivated);
    });
    then = await thisMoment(server);
    granted(await server.owner.post(`/users/${person.id}/reactivate`));
    await inPast(server, then, async (url) => {
      expect(await me(person.at(url))).toMatchObject(deactivated);
      expect((await me(newcomer.at(url))).status).toBe(200);
    });
  });

  it('are refused with a wrong key, a malformed key and an unknown email', async () => {
    await inPast(server, then, async (url) => {
      const refused = { status: 401, body: { code: 'INVALID_API_KEY' } };
      expect(await me(server.as({ email: person.email, key: bob.key }).at(url))).toMatchObject(refused);
      expect(await me(server.as({ email: person.email, key: 'short' }).at(url))).toMatchObject(refused);
      expect(await me(server.as({ email: 'nobody@example.com', key: bob.key }).at(url))).toMatchObject(refused);
    });
  });

  it('find the organization by any host name', async () => {
    await inPast(server, then, async (url) => {
      const [, port] = /:(\d+)$/.exec(url) ?? [];
      expect((await me(ann.at(`http://localhost:${port}`))).status).toBe(200);
    });
  });
});
