import { Client } from 'pg';
import { pino } from 'pino';
import type { FaultyRedis as Faulty } from '../../../../test/support/faults/faulty-redis';
import type { TestDatabase } from '../../../../test/support/server/database';
import type { Position, RealmId } from '../domain/index';
import type { WakeUpTransport, WakeUps } from './wake-ups';
import { createTestDatabase } from '../../../../test/support/server/database';
import { FaultyRedis } from '../../../../test/support/faults/faulty-redis';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { openWakeUps } from './open-wake-ups';
import { realmChannel, shareOf, unpack } from './notice';
import { PostgresTransport, WAKE_UPS_CONNECTION } from './postgres-transport';
import { RedisTransport } from './redis-transport';
import { at, realm, recordLogs } from './spec-support/recording';
import { SignalTooLarge } from './wake-ups';

const log = pino({ level: 'silent' });
const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
const backends = redisUrl ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);

const PREFIX = `spec-${process.pid}`;

const opened: WakeUps[] = [];
const started: WakeUpTransport[] = [];
let database: TestDatabase;

beforeAll(async () => (database = await createTestDatabase()));
afterEach(async () => {
  await Promise.all([...opened.splice(0), ...started.splice(0)].map((each) => each.close()));
});
afterAll(() => database.drop());

/** How notices are sent to a process that is not one of ours. */
function transport(backend: string): WakeUpTransport {
  if (backend === 'PostgreSQL') return new PostgresTransport({ connectionString: database.url, log });
  return new RedisTransport({ url: redisUrl ?? '', prefix: PREFIX, log });
}

/** One process's wake-ups, once they are connected. */
async function aProcess(options: { redisUrl?: string | undefined }): Promise<WakeUps> {
  const wakeUps = openWakeUps({ databaseUrl: database.url, prefix: PREFIX, log, ...options });
  opened.push(wakeUps);
  await new Promise<void>((resolve) => wakeUps.onLost(resolve));
  return wakeUps;
}

/** Records the wake-ups of a topic that a process receives from now on. */
async function recordRealm(
  wakeUps: WakeUps,
  topic: 'head' | 'client-events',
  of: RealmId,
): Promise<CallRecorder<[RealmId, Position]>> {
  const received = new CallRecorder<[RealmId, Position]>();
  wakeUps.subscribe(topic, of, received.listener);
  await wakeUps.listening(of);
  return received;
}

async function recordSignals(wakeUps: WakeUps): Promise<CallRecorder<[RealmId, unknown]>> {
  const received = new CallRecorder<[RealmId, unknown]>();
  wakeUps.onSignal('typing', received.listener);
  await wakeUps.listening('signals');
  return received;
}

describe.each(backends)('wake-ups on %s', (backend) => {
  const open = () => aProcess({ redisUrl: backend === 'Redis' ? redisUrl : undefined });

  it('notify another process once of the highest position that was published in one turn', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const received = await recordLogs(there);
    here.publish('log', realm(1), at(7));
    here.publish('log', realm(1), at(9));
    here.publish('log', realm(1), at(8));
    await received.atLeast(1);
    here.publish('log', realm(1), at(10));
    await received.atLeast(2);
    expect(received.calls).toEqual([
      [1, 9],
      [1, 10],
    ]);
  });

  it('are received in the process that published them, exactly once', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const received = await recordLogs(here);
    there.subscribe('log', shareOf(realm(4)), (realmId, position) => {
      if (position === at(1)) there.publish('log', realmId, at(2));
    });
    await there.listening(shareOf(realm(4)));
    here.publish('log', realm(4), at(1));
    await received.atLeast(2);
    expect(received.calls).toEqual([
      [4, 1],
      [4, 2],
    ]);
  });

  it('keep topics and realms apart, and send thousands of realms in one turn', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heads = await recordLogs(there);
    const feeds = await recordRealm(there, 'client-events', realm(1));
    for (let id = 1; id <= 3_000; id++) here.publish('log', realm(id), at(id + 1));
    here.publish('client-events', realm(1), at(5));
    await Promise.all([heads.atLeast(3_000), feeds.atLeast(1)]);
    expect(heads.calls.sort(([a], [b]) => a - b)).toEqual(
      Array.from({ length: 3_000 }, (_, index) => [index + 1, index + 2]),
    );
    expect(feeds.calls).toEqual([[1, 5]]);
  });

  it('of a realm are sent to the processes that listen to it, and to no others', async () => {
    const here = await open();
    const received = new CallRecorder<[string, string]>();
    const elsewhere = transport(backend);
    started.push(elsewhere);
    await new Promise<void>((connected) => elsewhere.start({ connected, notice: received.listener }));
    await elsewhere.listen(realmChannel(realm(2)));
    for (let id = 1; id <= 50; id++) {
      here.publish('head', realm(id), at(7));
      here.publish('client-events', realm(id), at(6));
      here.signal('typing', realm(id), id);
    }
    here.broadcast('typing', realm(2), 'to all');
    await received.atLeast(1);
    await elsewhere.listen(shareOf(realm(3)));
    for (const id of [3, 4, 67]) here.publish('log', realm(id), at(8));
    await received.atLeast(2);
    const notices = received.calls.map(([channel, text]) => [channel, unpack(channel, text)?.notices]);
    expect(notices).toEqual([
      [
        'realm_2',
        [
          { kind: 'wake-up', topic: 'head', realmId: 2, position: 7 },
          { kind: 'wake-up', topic: 'client-events', realmId: 2, position: 6 },
          { kind: 'signal', name: 'typing', realmId: 2, payload: 2, toAll: false },
        ],
      ],
      [
        'share_3',
        [
          { kind: 'wake-up', topic: 'log', realmId: 3, position: 8 },
          { kind: 'wake-up', topic: 'log', realmId: 67, position: 8 },
        ],
      ],
    ]);
  });

  it('end when nobody listens to a realm, and begin again when somebody does', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const all = await recordLogs(there);
    const received = new CallRecorder<[RealmId, Position]>();
    const ends = [1, 2].map(() => there.subscribe('client-events', realm(1), (...each) => received.listener(...each)));
    await there.listening(realm(1));
    // Published to both channels in this order, so a process that received the head has received what was before it.
    const publish = async (position: number) => {
      here.publish('client-events', realm(1), at(position));
      await new Promise((resolve) => setImmediate(resolve));
      here.publish('log', realm(9), at(position));
      await all.atLeast(position);
    };
    await publish(1);
    ends[0]?.();
    ends[0]?.();
    await publish(2);
    ends[1]?.();
    await publish(3);
    there.subscribe('client-events', realm(1), received.listener);
    await there.listening(realm(1));
    await publish(4);
    expect(received.calls.map(([, position]) => position)).toEqual([1, 1, 2, 4]);
  });

  it('send signals in order, every one of them, to all processes', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const receivedHere = await recordSignals(here);
    const receivedThere = await recordSignals(there);
    const payloads = [{ op: 'start', sender: 5, to: [6, 7] }, { op: 'stop', text: 'zażółć \u0000 🎈' }, null];
    for (const payload of payloads) here.broadcast('typing', realm(2), payload);
    await Promise.all([receivedHere.atLeast(3), receivedThere.atLeast(3)]);
    expect(receivedThere.calls).toEqual(payloads.map((payload) => [2, payload]));
    expect(receivedHere.calls).toEqual(receivedThere.calls);
  });

  it('send the largest signal that is not refused', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const received = await recordSignals(there);
    const largest = 'ł'.repeat((7_000 - Buffer.byteLength('["s","typing",1,""]')) / 2);
    expect(() => here.broadcast('typing', realm(1), `${largest}łł`)).toThrow(SignalTooLarge);
    here.broadcast('typing', realm(1), largest);
    await received.atLeast(1);
    expect(received.calls).toEqual([[1, largest]]);
  });

  it('send what was published before they close, and receive nothing afterwards', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const receivedHere = await recordLogs(here);
    const receivedThere = await recordLogs(there);
    here.publish('log', realm(1), at(1));
    await Promise.all([here.close(), receivedThere.atLeast(1)]);
    here.publish('log', realm(1), at(2));
    there.publish('log', realm(1), at(3));
    await receivedThere.atLeast(2);
    expect(receivedHere.calls).toEqual([[1, 1]]);
    expect(receivedThere.calls).toEqual([
      [1, 1],
      [1, 3],
    ]);
  });
});

describe('wake-ups on PostgreSQL', () => {
  it('connect again after their connections were terminated, and report that something may be lost', async () => {
    const [here, there] = await Promise.all([aProcess({}), aProcess({})]);
    const lost = new CallRecorder<[]>();
    here.onLost(lost.listener);
    there.onLost(lost.listener);
    const heads = await recordLogs(there);
    const many = new CallRecorder<[RealmId, Position]>();
    for (let id = 1; id <= 2_500; id++) there.subscribe('client-events', realm(id), many.listener);
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    const { rowCount } = await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [WAKE_UPS_CONNECTION],
    );
    expect(rowCount).toBe(2);
    await admin.end();
    here.publish('log', realm(1), at(1));
    await lost.atLeast(2);
    here.publish('log', realm(1), at(2));
    for (const id of [1, 1_700, 2_500]) here.publish('client-events', realm(id), at(3));
    await Promise.all([heads.atLeast(1), many.atLeast(3)]);
    expect(heads.calls).toEqual([[1, 2]]);
    expect(many.calls.map(([id]) => id).sort((a, b) => a - b)).toEqual([1, 1_700, 2_500]);
  });

  it('do not keep a process from closing while the database cannot be reached', async () => {
    const wakeUps = openWakeUps({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', log });
    const received = await recordLogs(wakeUps);
    wakeUps.publish('log', realm(1), at(1));
    await wakeUps.close();
    expect(received.calls).toEqual([[1, 1]]);
  });
});

if (redisUrl)
  describe('wake-ups on Redis', () => {
    let redis: Faulty;
    beforeEach(async () => (redis = await FaultyRedis.start()));
    afterEach(() => redis.close());

    it('continue after Redis was stopped and started, and report that something may be lost', async () => {
      const options = { redisUrl: redis.url };
      const [here, there] = await Promise.all([aProcess(options), aProcess(options)]);
      const lost = new CallRecorder<[]>();
      here.onLost(lost.listener);
      there.onLost(lost.listener);
      const receivedHere = await recordLogs(here);
      await redis.stop();
      here.publish('log', realm(1), at(1));
      await receivedHere.atLeast(1);
      await redis.restart();
      await lost.atLeast(2);
      const receivedThere = await recordLogs(there);
      // The publisher's connection may be back after those of the listeners, so it publishes until they receive.
      for (let position = 2; receivedThere.calls.length === 0; position++) {
        here.publish('log', realm(1), at(position));
        await receivedHere.atLeast(position);
      }
      expect(receivedThere.calls[0]?.[0]).toBe(1);
    });

    it('lose nothing when Redis is flushed', async () => {
      const options = { redisUrl: redis.url };
      const [here, there] = await Promise.all([aProcess(options), aProcess(options)]);
      const received = await recordLogs(there);
      await redis.flushAll();
      here.publish('log', realm(1), at(1));
      await received.atLeast(1);
      expect(received.calls).toEqual([[1, 1]]);
    });
  });
