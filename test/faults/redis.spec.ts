import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import type { WireEvent } from '../support/server/caller';
import { granted } from '../support/server/caller';
import { FaultyRedis } from '../support/faults/faulty-redis';
import { PollingClient } from '../support/events/polling-client';
import { inChannel, read, texts as contentsOf } from '../support/requests/notices';
import type { Person } from '../support/server/organization';
import type { ProcessServer } from '../support/processes/processes';
import { startProcesses } from '../support/processes/processes';
import { redisFaults } from '../support/faults/redis-faults';
import { remindersOf, scheduledId, scheduledOf } from '../support/requests/scheduling';

const LOOK_MS = 50;

const describeOnRedis = process.env['ANNALS_TEST_REDIS_URL'] ? describe : describe.skip;

describeOnRedis('while Redis', () => {
  let redis: FaultyRedis;
  let server: ProcessServer;
  let ann: Person;
  let follower: Person;
  let talk: ChannelId;
  let later: ChannelId;
  beforeAll(async () => {
    redis = await FaultyRedis.start();
    server = await startProcesses({ redisUrl: redis.url });
    ann = await server.person({ name: 'Ann' });
    follower = await server.person({ name: 'Follower' });
    talk = await server.channel(server.owner, { subscribers: [server.owner, follower] });
    later = await server.channel(server.owner, { subscribers: [server.owner, ann] });
  });
  afterAll(async () => {
    await server.close();
    await redis.close();
  });

  const texts = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n}`);
  const idsOf = (events: readonly WireEvent[]) => events.map(({ message }) => (message as { id: number }).id);
  /** UNIX seconds, two from now at least: for one request, on any machine. */
  const soon = () => Math.ceil(Date.now() / 1_000) + 2;

  /** Sends so many messages one after another. @returns their ids */
  async function send(name: string, count: number): Promise<number[]> {
    const ids: number[] = [];
    for (const content of texts(name, count)) {
      const message = { type: 'channel', to: talk, topic: 'faults', content };
      ids.push(granted(await server.owner.post<{ id: number }>('/messages', message)).id);
    }
    return ids;
  }

  /** Schedules these by both people in turn, each for a little after its own request. @returns when the last one is due */
  async function schedule(contents: readonly string[]): Promise<number> {
    let at = 0;
    for (const [n, content] of contents.entries()) {
      const by = n % 2 === 0 ? server.owner : ann;
      const message = { type: 'channel', to: later, topic: `topic ${n % 3}`, content };
      at = soon();
      await scheduledId(by.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: at }));
    }
    return at;
  }

  /** Resolves when nothing waits any more. */
  async function delivered(): Promise<void> {
    for (const by of [server.owner, ann]) {
      while ((await scheduledOf(by)).length + (await remindersOf(by)).length > 0) await pause(LOOK_MS);
    }
  }

  const sent = async (name: string) =>
    contentsOf(await inChannel(ann, later)).filter((content) => content.startsWith(name));
  const reminders = async (note: string) =>
    (await read(ann, [{ operator: 'is', operand: 'dm' }])).filter(({ content }) => content.includes(note));

  it.each(redisFaults(() => redis))(
    '%s, client events arrive all, once, in order, and due messages too',
    async (name, harm, heal) => {
      const queue = await follower.register({ event_types: ['message'], fetch_event_types: [] });
      const following = new PollingClient(follower, queue);
      const before = await send('before', 10);
      const contents = texts(name, 6);
      // After a flush nothing is scheduled: the job of a new message would deliver everything that is due.
      const planned = name === 'is flushed' ? 6 : 3;
      granted(await ann.post('/reminders', { note: name, scheduled_delivery_timestamp: soon() }));
      const early = await schedule(contents.slice(0, planned));

      await harm();
      const at = Math.max(early, await schedule(contents.slice(planned)));
      const during = await send('during', 10);
      expect(idsOf(await following.received(20))).toEqual([...before, ...during]);
      await delivered();
      expect(Date.now()).toBeGreaterThanOrEqual(at * 1_000);
      expect(await sent(name)).toEqual(contents);

      await heal();
      // Jobs that run now find nothing to do.
      const plannedAfter = texts(`after it ${name}`, 3);
      await schedule(plannedAfter);
      const after = await send('after', 10);
      expect(idsOf(await following.received(30))).toEqual([...before, ...during, ...after]);
      await following.stop();
      await delivered();
      expect(await sent(name)).toEqual(contents);
      expect(await sent(`after it ${name}`)).toEqual(plannedAfter);
      expect(await reminders(name)).toHaveLength(1);
    },
  );
});
