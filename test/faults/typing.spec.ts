import type { ChannelId } from '@annals/kernel/domain';
import type { Caller, Registered, WireEvent } from '../support/server/caller';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import { RoundRobin } from '../support/processes/round-robin';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
const backends = redisUrl ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);
const REGISTRATION = {
  fetch_event_types: [],
  event_types: ['typing', 'message'],
  client_capabilities: { stream_typing_notifications: true },
};

describe.each(backends)('typing with two apis and wake-ups on %s', (backend) => {
  let server: TestServer;
  let balancer: RoundRobin;
  let ann: Person;
  let bob: Person;
  let eve: Person;
  let channel: ChannelId;
  beforeAll(async () => {
    server = await startTestServer({ apis: 2, env: { REDIS_URL: backend === 'Redis' ? (redisUrl ?? '') : '' } });
    balancer = await RoundRobin.open();
    balancer.targets = server.apis.map(({ url }) => url);
    [ann, bob, eve] = [await server.person(), await server.person(), await server.person()];
    channel = await server.channel(ann, { subscribers: [ann, bob] });
  });
  afterAll(async () => {
    await server.close();
    await balancer.close();
  });

  const sides = (person: Person): [Caller, Caller] => {
    const [here = '', there = ''] = balancer.targets;
    return [person.at(here), person.at(there)];
  };
  const type = async (by: Caller, op: 'start' | 'stop', topic = 'lunch') =>
    granted(await by.post('/typing', { op, type: 'channel', stream_id: channel, topic }));
  const send = async (by: Caller) =>
    granted(await by.post('/messages', { type: 'channel', to: channel, topic: 'lunch', content: 'so' }));
  /** A queue that this api has served. */
  async function present(caller: Caller): Promise<Registered> {
    const queue = await caller.register(REGISTRATION);
    await caller.events(queue);
    return queue;
  }
  const gist = (events: readonly WireEvent[]) => events.map(({ type: name, op, topic }) => [name, op, topic]);

  it('answers a poll that hangs on the other one', async () => {
    const [annHere] = sides(ann);
    const [, bobThere] = sides(bob);
    const queue = await present(bobThere);
    let last = queue.last_event_id;
    for (let n = 0; n < 20; n++) {
      const poll = bobThere.poll(queue.queue_id, last);
      await type(annHere, n % 2 ? 'stop' : 'start', `topic ${n}`);
      const events = await poll;
      expect(gist(events)).toEqual([['typing', n % 2 ? 'stop' : 'start', `topic ${n}`]]);
      expect(events[0]?.id).toBeGreaterThan(last);
      last = events[0]?.id ?? last;
    }
  });

  it('notifies nobody else, and the log continues above its ids', async () => {
    const [annHere] = sides(ann);
    const [bobHere, bobThere] = sides(bob);
    const others = sides(eve);
    const [mine, theirs] = [await present(bobThere), await Promise.all(others.map(present))];
    const head = (await server.kernel.events.heads()).get(1 as never);
    const poll = bobThere.poll(mine.queue_id, mine.last_event_id);
    await type(annHere, 'start');
    const [event] = await poll;
    expect((await server.kernel.events.heads()).get(1 as never)).toBe(head);
    await send(annHere);
    for (const [index, queue] of theirs.entries()) {
      // Eve is in no channel: nothing of all this is hers, wherever she asks.
      expect(await others[index]?.events(queue)).toEqual([]);
    }
    for (const caller of [bobThere, bobHere]) {
      const next = await caller.events(mine, event?.id);
      expect(next.filter((one) => one.type === 'message')).toHaveLength(1);
      expect(next[0]?.id).toBeGreaterThan(event?.id ?? Infinity);
      expect(gist(next)).not.toContainEqual(['typing', 'start', 'lunch']);
    }
  });

  it('reach a queue that was registered before, whichever api it polls first', async () => {
    const [annHere] = sides(ann);
    const [bobHere, bobThere] = sides(bob);
    await type(annHere, 'start', 'before');
    server.clock.advance(1);
    const queues = await Promise.all([
      bobHere.register(REGISTRATION),
      bobHere.register(REGISTRATION),
      bobThere.register(REGISTRATION),
    ]);
    server.clock.advance(1);
    await type(annHere, 'start', 'after');
    const callers = [bobHere, bobThere, bobHere];
    for (const [index, queue] of queues.entries()) {
      const first = await callers[index]?.poll(queue.queue_id, queue.last_event_id);
      expect(gist(first ?? [])).toEqual([['typing', 'start', 'after']]);
      for (const caller of [bobHere, bobThere]) expect(await caller.events(queue, first?.at(-1)?.id)).toEqual([]);
    }
  });

  it('reach a queue behind a balancer at most once, in order, with every message', async () => {
    const [annHere] = sides(ann);
    const balanced = bob.at(balancer.url);
    const queue = await present(balanced);
    const topics = Array.from({ length: 40 }, (_, n) => `turn ${n}`);
    const got: WireEvent[] = [];
    const talking = (async () => {
      for (const topic of topics) {
        await type(annHere, 'start', topic);
        await send(annHere);
      }
    })();
    while (got.filter((one) => one.type === 'message').length < topics.length) {
      got.push(...(await balanced.poll(queue.queue_id, got.at(-1)?.id ?? queue.last_event_id)));
    }
    await talking;
    const ids = got.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const received = got.filter((one) => one.type === 'typing').map(({ topic }) => topic);
    expect(received).toEqual(topics.filter((topic) => received.includes(topic)));
    expect(got.filter((one) => one.type === 'message')).toHaveLength(topics.length);
  });
});
