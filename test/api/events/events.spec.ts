import { Dispatcher } from '@annals/feed';
import type { ChannelId } from '@annals/kernel/domain';
import type { Params, Registered, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
let channel: ChannelId;
let secret: ChannelId;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  guest = await server.person({ role: 'guest', name: 'Gus' });
  channel = await server.channel(owner, { name: 'open', subscribers: [owner, member] });
  secret = await server.channel(owner, { name: 'closed', invite_only: true });
});
afterAll(() => server.close());

const messages = { event_types: ['message'], fetch_event_types: [] };
const send = async (to: ChannelId, content: string, topic = 'feed') =>
  granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;
const contents = (events: readonly WireEvent[]) =>
  events.map(({ message }) => (message as { content: string } | undefined)?.content);
const ask = (by: Person, queue_id: unknown, last_event_id: unknown, more: Params = { dont_block: true }) =>
  by.get<{ events: WireEvent[] }>('/events', { queue_id, last_event_id, ...more });
const badQueue = (queueId: string) => ({
  status: 400,
  body: { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: `Bad event queue ID: ${queueId}`, queue_id: queueId },
});

/** A clock that stands still orders the requests of two processes only if one has heard of those of the other. */
const LATER_MS = 1_000;

describe('GET /events', () => {
  let queue: Registered;
  beforeEach(async () => (queue = await member.register(messages)));

  it('returns waiting events at once, ordered by id', async () => {
    const ids = [await send(channel, 'one'), await send(channel, 'two')];
    const events = await member.events(queue);
    expect(events.map(({ message }) => (message as { id: number }).id)).toEqual(ids);
    expect(contents(events)).toEqual(['one', 'two']);
    const { status, body } = await ask(member, queue.queue_id, queue.last_event_id);
    expect(status).toBe(200);
    expect(body).toEqual({ result: 'success', msg: '', events, queue_id: queue.queue_id });
  });

  it('waits until an event happens', async () => {
    const poll = member.poll(queue.queue_id, queue.last_event_id);
    await send(secret, 'nothing for you');
    await send(channel, 'for you');
    expect(contents(await poll)).toEqual(['for you']);
  });

  it('does not wait with dont_block', async () => {
    expect((await ask(member, queue.queue_id, queue.last_event_id)).body.events).toEqual([]);
    expect((await ask(member, queue.queue_id, -1)).body.events).toEqual([]);
  });

  it('repeats unacknowledged events, and no acknowledged ones', async () => {
    await send(channel, 'again');
    const [event] = await member.events(queue);
    for (const last of [queue.last_event_id, -1, (event?.id ?? 0) - 1]) {
      expect(await member.events(queue, last)).toEqual([event]);
    }
    expect(await member.events(queue, event?.id)).toEqual([]);
  });

  it('answers the same from every API process', async () => {
    await send(channel, 'everywhere');
    const [here, there] = await Promise.all(server.apis.map(({ url }) => member.at(url).events(queue)));
    expect(contents(here ?? [])).toEqual(['everywhere']);
    expect(there).toEqual(here);
  });

  it('sends the event to every waiting poll, in whichever API process', async () => {
    const queues = [queue, await member.register(messages)];
    const polls = server.apis.map(({ url }, n) => {
      const { queue_id: id, last_event_id: last } = queues[n] ?? queue;
      return member.at(url).poll(id, last);
    });
    await send(channel, 'to both');
    for (const poll of polls) expect(contents(await poll)).toEqual(['to both']);
  });

  it.each([
    [0, 0],
    [0, 1],
    [1, 0],
  ])('ends a poll in API process %i when another one for the same queue arrives in %i', async (older, newer) => {
    const poll = (api: number) => member.at(server.apis[api]?.url ?? '').poll(queue.queue_id, queue.last_event_id);
    const first = poll(older);
    await polling(older);
    server.clock.advance(LATER_MS);
    const second = poll(newer);
    expect(await first).toEqual([]);
    await send(channel, 'to the second');
    expect(contents(await second)).toEqual(['to the second']);
  });

  it('keeps the queue of a client that disconnects', async () => {
    const aborted = new AbortController();
    const poll = member.poll(queue.queue_id, queue.last_event_id, { signal: aborted.signal });
    await polling();
    aborted.abort();
    await expect(poll).rejects.toThrow('aborted');
    await send(channel, 'while away');
    expect(contents(await member.events(queue))).toEqual(['while away']);
  });

  it('sends a heartbeat when nothing has happened for a while, whatever the event types', async () => {
    const quiet = await member.register({ event_types: ['realm_emoji'], fetch_event_types: [] });
    const poll = member.poll(quiet.queue_id, quiet.last_event_id);
    await polling();
    server.clock.advance(56_000);
    const [heartbeat, ...more] = await poll;
    expect([heartbeat, more]).toEqual([{ type: 'heartbeat', id: expect.any(Number) as number }, []]);
    expect(heartbeat?.id).toBeGreaterThan(quiet.last_event_id);
    expect(await member.events(quiet, heartbeat?.id)).toEqual([]);
  });

  it('requires both parameters', async () => {
    const missing = (name: string) => ({ status: 400, body: { msg: `Missing '${name}' argument` } });
    expect(await ask(member, undefined, -1, {})).toMatchObject(missing('queue_id'));
    expect(await ask(member, queue.queue_id, undefined)).toMatchObject(missing('last_event_id'));
    expect(await ask(member, queue.queue_id, 'x')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'last_event_id is not an integer' },
    });
  });

  it('accepts only queue ids of the owner, and event ids within its history', async () => {
    const unknown = ['nonsense', '', '00000000-0000-4000-8000-000000000000', `${queue.queue_id} `, "'; DROP TABLE x"];
    for (const id of unknown) expect(await ask(member, id, -1)).toMatchObject(badQueue(id));
    expect(await ask(owner, queue.queue_id, -1)).toMatchObject(badQueue(queue.queue_id));
    const beyond = queue.last_event_id + 1_000 * 65_536;
    expect(await ask(member, queue.queue_id, beyond)).toMatchObject(badQueue(queue.queue_id));
  });

  it('requires a login', async () => {
    const answer = await server.anonymous.get('/events', { queue_id: queue.queue_id, last_event_id: -1 });
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  it('omits what the narrow excludes', async () => {
    const narrowed = await member.register({ ...messages, narrow: [['topic', 'wanted']] });
    await send(channel, 'no');
    await send(channel, 'yes', 'Wanted');
    expect(contents(await member.events(narrowed))).toEqual(['yes']);
  });

  it('sends events of all public channels on request, and of no private one', async () => {
    const bystander = await server.person();
    const all = await bystander.register({ ...messages, all_public_streams: true });
    const own = await bystander.register(messages);
    await send(channel, 'public');
    await send(secret, 'private');
    expect(contents(await bystander.events(all))).toEqual(['public']);
    expect(await bystander.events(own)).toEqual([]);
  });

  it('sends guests no events of public channels', async () => {
    const received = await guest.receive(async () => {
      await server.channel(owner, { name: 'not for guests' });
    }, 'stream');
    expect(received).toEqual([]);
  });
});

describe('DELETE /events', () => {
  it('ends a queue, and a poll that waits for it in another API process', async () => {
    const queue = await member.register(messages);
    const poll = member.poll(queue.queue_id, queue.last_event_id);
    await polling();
    const elsewhere = member.at(server.apis[1]?.url ?? '');
    expect(await elsewhere.delete('/events', { queue_id: queue.queue_id })).toMatchObject({
      status: 200,
      body: { result: 'success', msg: '' },
    });
    expect(await poll).toEqual([]);
    expect(await ask(member, queue.queue_id, -1)).toMatchObject(badQueue(queue.queue_id));
  });

  it('accepts its parameter in the query too', async () => {
    const { queue_id: id } = await member.register(messages);
    expect((await member.delete(`/events?queue_id=${id}`)).status).toBe(200);
    expect(await member.delete(`/events?queue_id=${id}`)).toMatchObject(badQueue(id));
  });

  it('refuses queues of others', async () => {
    const { queue_id: id } = await member.register(messages);
    expect(await owner.delete('/events', { queue_id: id })).toMatchObject(badQueue(id));
    expect(await member.delete('/events')).toMatchObject({ status: 400, body: { msg: "Missing 'queue_id' argument" } });
    expect((await ask(member, id, -1)).status).toBe(200);
  });
});

describe('the end of an account', () => {
  it('ends its queues: waiting polls, and later ones', async () => {
    const leaver = await server.person();
    const [queue, other] = [await leaver.register(messages), await leaver.register(messages)];
    const poll = ask(leaver, queue.queue_id, queue.last_event_id, {});
    await polling();
    granted(await owner.delete(`/users/${leaver.id}`));
    expect(await poll).toMatchObject(badQueue(queue.queue_id));
    expect(await ask(leaver, other.queue_id, -1)).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
    const { rows } = await server.kernel.database.pool.query('SELECT FROM client_queues WHERE user_id = $1', [
      leaver.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a queue', () => {
  it('survives the API process that opened it: its polls are answered, and continue elsewhere', async () => {
    const [first, second] = server.apis;
    const leaving = member.at(second?.url ?? '');
    const queue = await leaving.register(messages);
    const poll = leaving.poll(queue.queue_id, queue.last_event_id);
    await polling(1);
    await second?.app.close();
    const heartbeat = await poll;
    expect(heartbeat.map(({ type }) => type)).toEqual(['heartbeat']);
    await send(channel, 'after the restart');
    const staying = member.at(first?.url ?? '');
    expect(contents(await staying.events(queue, heartbeat[0]?.id))).toEqual(['after the restart']);
  });
});

/** Resolves when a poll hangs in this api. */
async function polling(api = 0): Promise<void> {
  const dispatcher = server.apis[api]?.app.get(Dispatcher);
  for (let turn = 0; dispatcher?.waiting === 0; turn++) {
    if (turn > 100_000) throw new Error('no poll hangs');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a key that newer ones replace', () => {
  it('ends the queues that it registered, and no others', async () => {
    const crowd = await server.person();
    const first = await crowd.register({ fetch_event_types: [] });
    server.clock.advance(60 * 60 * 1000);
    const login = async () => {
      const { body } = await server.anonymous.post<{ api_key: string }>('/fetch_api_key', {
        username: crowd.email,
        password: crowd.password,
      });
      const caller = server.as({ email: crowd.email, key: body.api_key });
      return { caller, queue: await caller.register({ fetch_event_types: [] }) };
    };
    const later = await Promise.all(Array.from({ length: 49 }, login));
    const ask = (caller: (typeof later)[number]['caller'], queue: { queue_id: string }) =>
      caller.get('/events', { queue_id: queue.queue_id, last_event_id: -1, dont_block: true });
    const newest = await login();
    await server.translated();
    expect(await ask(crowd, first)).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    expect(await ask(newest.caller, first)).toMatchObject({ status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } });
    for (const { caller, queue } of [...later, newest]) expect((await ask(caller, queue)).status).toBe(200);
  });
});
