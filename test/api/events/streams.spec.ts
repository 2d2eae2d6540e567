import { Dispatcher } from '@annals/feed';
import type { ChannelId } from '@annals/kernel/domain';
import { EventSource } from 'eventsource';
import fc from 'fast-check';
import { StreamClient, askForStream } from '../../support/events/stream-client';
import type { Params, Registered, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let channel: ChannelId;
beforeAll(async () => {
  server = await startTestServer({ apis: 2 });
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  channel = await server.channel(owner, { name: 'open', subscribers: [owner, member] });
});
afterAll(() => server.close());

const messages = { event_types: ['message'], fetch_event_types: [] };
const send = async (content: string) =>
  granted(await owner.post<{ id: number }>('/messages', { type: 'channel', to: channel, topic: 'streams', content }))
    .id;
const contentOf = (event: WireEvent | null) => (event?.['message'] as { content: string } | undefined)?.content;
const at = (api: number, person = member) => person.at(server.apis[api]?.url ?? '');
const dispatcher = (api = 0) => server.apis[api]?.app.get(Dispatcher);

/** Resolves when so many polls and streams wait in an api. */
async function waiting(count: number, api = 0): Promise<void> {
  for (let turn = 0; dispatcher(api)?.waiting !== count; turn++) {
    if (turn > 100_000) throw new Error(`${dispatcher(api)?.waiting} wait, not ${count}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('GET /events for server-sent events', () => {
  let queue: Registered;
  let params: Params;
  beforeEach(async () => {
    queue = await member.register(messages);
    params = { queue_id: queue.queue_id };
  });

  it('streams events as a poll returns them', async () => {
    const stream = await StreamClient.open(member, params);
    const { headers } = stream.response;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(await stream.part()).toEqual({ retry: 3_000 });
    await send('two\nlines');
    const part = await stream.part();
    stream.close();
    const [event] = await member.events(queue);
    expect(part).toEqual({ id: String(event?.id), type: 'message', data: event });
    expect(contentOf(event ?? null)).toBe('two\nlines');
  });

  it('begins with what was not acknowledged, by parameter or by header, of which the header is newer', async () => {
    for (const content of ['one', 'two', 'three']) await send(content);
    const [one, two] = await member.events(queue);
    const first = async (more: Params, headers: Record<string, string> = {}) => {
      const stream = await StreamClient.open(member, { ...params, ...more }, headers);
      const event = await stream.event();
      stream.close();
      return contentOf(event);
    };
    expect(await first({})).toBe('one');
    expect(await first({ last_event_id: -1 })).toBe('one');
    expect(await first({ last_event_id: one?.id })).toBe('two');
    expect(await first({}, { 'last-event-id': String(one?.id) })).toBe('two');
    expect(await first({ last_event_id: one?.id }, { 'last-event-id': String(two?.id) })).toBe('three');
  });

  it('sends a comment after 25 seconds without an event', async () => {
    const stream = await StreamClient.open(member, params);
    await stream.part();
    await waiting(1);
    server.clock.advance(25_000);
    expect(await stream.part()).toEqual({ comment: '' });
    await send('after it');
    expect(contentOf(await stream.event())).toBe('after it');
    stream.close();
  });

  it.each([
    [0, 0],
    [0, 1],
  ])('ends a stream in API process %i when another one of the queue begins in %i', async (older, newer) => {
    const first = await StreamClient.open(at(older), params);
    await waiting(1, older);
    server.clock.advance(1_000);
    const second = await StreamClient.open(at(newer), params);
    expect(await first.event()).toEqual({ type: 'end', reason: 'replaced' });
    expect(await first.part()).toBeNull();
    await send('to the second');
    expect(contentOf(await second.event())).toBe('to the second');
    second.close();
  });

  it('ends when a poll of the queue begins, and ends a poll that waits', async () => {
    const first = await StreamClient.open(member, params);
    await waiting(1);
    const poll = member.poll(queue.queue_id, queue.last_event_id);
    expect(await first.event()).toEqual({ type: 'end', reason: 'replaced' });
    const second = await StreamClient.open(member, params);
    expect(await poll).toEqual([]);
    second.close();
  });

  it('ends when the queue is deleted in another API process', async () => {
    const stream = await StreamClient.open(member, params);
    await waiting(1);
    granted(await at(1).delete('/events', params));
    expect(await stream.event()).toEqual({ type: 'end', reason: 'queue_gone' });
    expect(await stream.part()).toBeNull();
  });

  it('keeps the queue of a client that disconnects', async () => {
    const stream = await StreamClient.open(member, params);
    await waiting(1);
    stream.close();
    await waiting(0);
    await send('while away');
    expect((await member.events(queue)).map(contentOf)).toEqual(['while away']);
  });

  it('refuses what it refuses to polls, as JSON', async () => {
    const refused = async (more: Params, headers: Record<string, string> = {}, by = member) => {
      const response = await askForStream(by, { ...params, ...more }, headers);
      return { status: response.status, ...((await response.json()) as object) };
    };
    const bad = { status: 400, result: 'error', code: 'BAD_EVENT_QUEUE_ID' };
    expect(await refused({ queue_id: 'nonsense' })).toMatchObject({ ...bad, queue_id: 'nonsense' });
    expect(await refused({}, {}, owner)).toMatchObject(bad);
    expect(await refused({ last_event_id: queue.last_event_id + 1_000 * 65_536 })).toMatchObject(bad);
    const wrong = { status: 400, code: 'BAD_REQUEST' };
    expect(await refused({ last_event_id: 'x' })).toMatchObject({ ...wrong, msg: 'last_event_id is not an integer' });
    expect(await refused({}, { 'last-event-id': 'x' })).toMatchObject({
      ...wrong,
      msg: 'Last-Event-ID is not an integer',
    });
    expect(await refused({ dont_block: true })).toMatchObject({
      ...wrong,
      msg: 'dont_block does not apply to a stream',
    });
    const missing = await askForStream(member, {});
    expect([missing.status, await missing.json()]).toMatchObject([400, { code: 'REQUEST_VARIABLE_MISSING' }]);
    const anonymous = await askForStream(server.anonymous, params);
    expect([anonymous.status, await anonymous.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  });

  it('is a poll for callers that prefer JSON, or name no type', async () => {
    await send('for a poll');
    for (const accept of ['application/json, text/event-stream', '*/*']) {
      const response = await askForStream(member, { ...params, last_event_id: -1 }, { accept });
      expect(await response.json()).toMatchObject({ result: 'success', events: [{ type: 'message' }] });
    }
  });

  it('loses nothing and repeats nothing, whenever and wherever its client disconnects', async () => {
    const step = fc.record({ act: fc.constantFrom('send', 'star', 'read'), count: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const own = await member.register({ event_types: ['message', 'update_message_flags'], fetch_event_types: [] });
        const log = new ActsOfMember(own);
        for (const [n, { act, count }] of steps.entries()) {
          if (act === 'send') await log.send(count);
          else if (act === 'star') await log.star();
          else await log.read(count, n % 2);
        }
        await log.read(Infinity, 0);
        expect(log.received.map(({ id }) => id)).toEqual([...new Set(log.received.map(({ id }) => id))]);
        expect(summary(log.received)).toEqual(summary(await member.events(own)));
      }),
      { numRuns: 8 },
    );
  });

  it('continues by itself for the library of browsers', async () => {
    const asked: (string | null)[] = [];
    const source = new EventSource(`${server.url}/api/v1/events?queue_id=${queue.queue_id}&last_event_id=-1`, {
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        asked.push(headers.get('last-event-id'));
        headers.set('authorization', `Basic ${btoa(`${member.email}:${member.key}`)}`);
        return fetch(url, { ...init, headers });
      },
    });
    const received = () =>
      new Promise<WireEvent>((resolve) =>
        source.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data)) as WireEvent), {
          once: true,
        }),
      );
    const first = received();
    await send('first');
    const { id } = await first;
    const next = received();
    await waiting(1);
    // Another request takes the queue, so the library connects again after three seconds.
    await member.get('/events', { ...params, last_event_id: id, dont_block: true });
    await send('second');
    expect(contentOf(await next)).toBe('second');
    source.close();
    expect(asked).toEqual([null, String(id)]);
    await waiting(0);
  });
});

describe('a stream ends', () => {
  it('when its account is deactivated', async () => {
    const leaver = await server.person();
    const { queue_id } = await leaver.register(messages);
    const stream = await StreamClient.open(leaver, { queue_id });
    await waiting(1);
    granted(await owner.delete(`/users/${leaver.id}`));
    expect(await stream.event()).toEqual({ type: 'end', reason: 'queue_gone' });
    const again = await askForStream(leaver, { queue_id });
    expect([again.status, await again.json()]).toMatchObject([401, { code: 'USER_DEACTIVATED' }]);
  });

  it('when the key of its account changes', async () => {
    const changing = await server.person();
    const { queue_id } = await changing.register(messages);
    const stream = await StreamClient.open(changing, { queue_id });
    await waiting(1);
    granted(await changing.post('/users/me/api_key/regenerate'));
    expect(await stream.event()).toMatchObject({ type: 'end' });
    expect((await askForStream(changing, { queue_id })).status).toBe(401);
  });

  it('when the API process stops, and continues in another one', async () => {
    const queue = await at(1).register(messages);
    const stream = await StreamClient.open(at(1), { queue_id: queue.queue_id });
    await waiting(1, 1);
    await send('before');
    const before = await stream.event();
    await server.apis[1]?.app.close();
    expect(await stream.event()).toEqual({ type: 'end', reason: 'unavailable' });
    expect(await stream.part()).toBeNull();
    await send('after');
    const next = await StreamClient.open(member, { queue_id: queue.queue_id, last_event_id: before?.id });
    expect(contentOf(await next.event())).toBe('after');
    next.close();
  });
});

/** What a member does and receives, over streams that break again and again. */
class ActsOfMember {
  readonly received: WireEvent[] = [];
  private readonly sent: number[] = [];
  private expected = 0;

  constructor(private readonly queue: Registered) {}

  async send(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.sent.push(await send(`message ${n}`));
    this.expected += count;
  }

  /** The newest message that is not starred. */
  async star(): Promise<void> {
    const message = this.sent.pop();
    if (message === undefined) return;
    granted(await member.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' }));
    this.expected += 1;
  }

  /** Reads so many events, or all that there are, and breaks the connection. */
  async read(count: number, api: number): Promise<void> {
    await server.translated();
    const last = this.received.at(-1)?.id ?? this.queue.last_event_id;
    const stream = await StreamClient.open(at(api), { queue_id: this.queue.queue_id, last_event_id: last });
    this.received.push(...(await stream.events(Math.min(count, this.expected - this.received.length))));
    stream.close();
  }
}

/** A poll merges flag events, and a stream does not. */
const summary = (events: readonly WireEvent[]) => [
  events.filter(({ type }) => type === 'message'),
  events.filter(({ type }) => type !== 'message').flatMap(({ messages: starred }) => starred),
];
