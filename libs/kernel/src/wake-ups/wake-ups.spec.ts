import { Client } from 'pg';
import { pino } from 'pino';
import type { FaultyRedis as Faulty } from '../../../../test/support/faults/faulty-redis';
import type { TestDatabase } from '../../../../test/support/server/database';
import type { Position, RealmId } from '../domain/index';
import type { Letter, Notice } from './notice';
import type { WakeUpTransport } from './wake-ups';
import { createTestDatabase } from '../../../../test/support/server/database';
import { FaultyRedis } from '../../../../test/support/faults/faulty-redis';
import { CallRecorder } from '../../../../test/support/events/call-recorder';
import { openWakeUps } from './open-wake-ups';
import { ALL_SHARES, MAX_NOTICE_BYTES, pack, realmChannel, shareOf, unpack } from './notice';
import { PostgresTransport, WAKE_UPS_CONNECTION } from './postgres-transport';
import { RedisTransport } from './redis-transport';
import { SignalTooLarge, WakeUps } from './wake-ups';

const log = pino({ level: 'silent' });
const realm = (id: number) => id as RealmId;
const at = (position: number) => position as Position;
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

/** How notices travel to a process that is not one of ours. */
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

/** What a process hears of a topic from now on. */
async function hearing(
  wakeUps: WakeUps,
  topic: 'head' | 'client-events',
  of: RealmId,
): Promise<CallRecorder<[RealmId, Position]>> {
  const heard = new CallRecorder<[RealmId, Position]>();
  wakeUps.subscribe(topic, of, heard.listener);
  await wakeUps.listening(of);
  return heard;
}

/** What a process hears from now on that follows all logs. */
async function following(wakeUps: WakeUps): Promise<CallRecorder<[RealmId, Position]>> {
  const heard = new CallRecorder<[RealmId, Position]>();
  for (const share of ALL_SHARES) wakeUps.subscribe('log', share, heard.listener);
  await Promise.all(ALL_SHARES.map((share) => wakeUps.listening(share)));
  return heard;
}

async function hearingSignals(wakeUps: WakeUps): Promise<CallRecorder<[RealmId, unknown]>> {
  const heard = new CallRecorder<[RealmId, unknown]>();
  wakeUps.onSignal('typing', heard.listener);
  await wakeUps.listening('signals');
  return heard;
}

describe.each(backends)('wake-ups on %s', (backend) => {
  const open = () => aProcess({ redisUrl: backend === 'Redis' ? redisUrl : undefined });

  it('notify another process once of the highest position that was published in one turn', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heard = await following(there);
    here.publish('log', realm(1), at(7));
    here.publish('log', realm(1), at(9));
    here.publish('log', realm(1), at(8));
    await heard.atLeast(1);
    here.publish('log', realm(1), at(10));
    await heard.atLeast(2);
    expect(heard.calls).toEqual([
      [1, 9],
      [1, 10],
    ]);
  });

  it('are received in the process that published them, exactly once', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heard = await following(here);
    there.subscribe('log', shareOf(realm(4)), (realmId, position) => {
      if (position === at(1)) there.publish('log', realmId, at(2));
    });
    await there.listening(shareOf(realm(4)));
    here.publish('log', realm(4), at(1));
    await heard.atLeast(2);
    expect(heard.calls).toEqual([
      [4, 1],
      [4, 2],
    ]);
  });

  it('keep topics and realms apart, and carry thousands of realms in one turn', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heads = await following(there);
    const feeds = await hearing(there, 'client-events', realm(1));
    for (let id = 1; id <= 3_000; id++) here.publish('log', realm(id), at(id + 1));
    here.publish('client-events', realm(1), at(5));
    await Promise.all([heads.atLeast(3_000), feeds.atLeast(1)]);
    expect(heads.calls.sort(([a], [b]) => a - b)).toEqual(
      Array.from({ length: 3_000 }, (_, index) => [index + 1, index + 2]),
    );
    expect(feeds.calls).toEqual([[1, 5]]);
  });

  it('of a realm go to the processes that listen to it, and to no others', async () => {
    const here = await open();
    const heard = new CallRecorder<[string, string]>();
    const elsewhere = transport(backend);
    started.push(elsewhere);
    await new Promise<void>((connected) => elsewhere.start({ connected, notice: heard.listener }));
    await elsewhere.listen(realmChannel(realm(2)));
    for (let id = 1; id <= 50; id++) {
      here.publish('head', realm(id), at(7));
      here.publish('client-events', realm(id), at(6));
      here.signal('typing', realm(id), id);
    }
    here.broadcast('typing', realm(2), 'to all');
    await heard.atLeast(1);
    await elsewhere.listen(shareOf(realm(3)));
    for (const id of [3, 4, 67]) here.publish('log', realm(id), at(8));
    await heard.atLeast(2);
    const notices = heard.calls.map(([channel, text]) => [channel, unpack(channel, text)?.notices]);
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

  it('end with the last who listens to a realm, and come again when somebody does', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const all = await following(there);
    const heard = new CallRecorder<[RealmId, Position]>();
    const ends = [1, 2].map(() => there.subscribe('client-events', realm(1), (...each) => heard.listener(...each)));
    await there.listening(realm(1));
    // Published to both channels in this order, so that who has heard the head has heard what was before it.
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
    there.subscribe('client-events', realm(1), heard.listener);
    await there.listening(realm(1));
    await publish(4);
    expect(heard.calls.map(([, position]) => position)).toEqual([1, 1, 2, 4]);
  });

  it('carry signals in order, every one of them, to all processes', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heardHere = await hearingSignals(here);
    const heardThere = await hearingSignals(there);
    const payloads = [{ op: 'start', sender: 5, to: [6, 7] }, { op: 'stop', text: 'zażółć \u0000 🎈' }, null];
    for (const payload of payloads) here.broadcast('typing', realm(2), payload);
    await Promise.all([heardHere.atLeast(3), heardThere.atLeast(3)]);
    expect(heardThere.calls).toEqual(payloads.map((payload) => [2, payload]));
    expect(heardHere.calls).toEqual(heardThere.calls);
  });

  it('carry the largest signal that is not refused', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heard = await hearingSignals(there);
    const largest = 'ł'.repeat((7_000 - Buffer.byteLength('["s","typing",1,""]')) / 2);
    expect(() => here.broadcast('typing', realm(1), `${largest}łł`)).toThrow(SignalTooLarge);
    here.broadcast('typing', realm(1), largest);
    await heard.atLeast(1);
    expect(heard.calls).toEqual([[1, largest]]);
  });

  it('send what was published before they close, and receive nothing afterwards', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const heardHere = await following(here);
    const heardThere = await following(there);
    here.publish('log', realm(1), at(1));
    await Promise.all([here.close(), heardThere.atLeast(1)]);
    here.publish('log', realm(1), at(2));
    there.publish('log', realm(1), at(3));
    await heardThere.atLeast(2);
    expect(heardHere.calls).toEqual([[1, 1]]);
    expect(heardThere.calls).toEqual([
      [1, 1],
      [1, 3],
    ]);
  });
});

describe('wake-ups on PostgreSQL', () => {
  it('connect again after their connections were terminated, and say that something may be lost', async () => {
    const [here, there] = await Promise.all([aProcess({}), aProcess({})]);
    const lost = new CallRecorder<[]>();
    here.onLost(lost.listener);
    there.onLost(lost.listener);
    const heads = await following(there);
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
    const heard = await following(wakeUps);
    wakeUps.publish('log', realm(1), at(1));
    await wakeUps.close();
    expect(heard.calls).toEqual([[1, 1]]);
  });
});

if (redisUrl)
  describe('wake-ups on Redis', () => {
    let redis: Faulty;
    beforeEach(async () => (redis = await FaultyRedis.start()));
    afterEach(() => redis.close());

    it('go on after Redis was stopped and started, and say that something may be lost', async () => {
      const options = { redisUrl: redis.url };
      const [here, there] = await Promise.all([aProcess(options), aProcess(options)]);
      const lost = new CallRecorder<[]>();
      here.onLost(lost.listener);
      there.onLost(lost.listener);
      const heardHere = await following(here);
      await redis.stop();
      here.publish('log', realm(1), at(1));
      await heardHere.atLeast(1);
      await redis.restart();
      await lost.atLeast(2);
      const heardThere = await following(there);
      // The publisher's connection may come back after the listeners': say it until it is heard.
      for (let position = 2; heardThere.calls.length === 0; position++) {
        here.publish('log', realm(1), at(position));
        await heardHere.atLeast(position);
      }
      expect(heardThere.calls[0]?.[0]).toBe(1);
    });

    it('lose nothing when Redis is flushed', async () => {
      const options = { redisUrl: redis.url };
      const [here, there] = await Promise.all([aProcess(options), aProcess(options)]);
      const heard = await following(there);
      await redis.flushAll();
      here.publish('log', realm(1), at(1));
      await heard.atLeast(1);
      expect(heard.calls).toEqual([[1, 1]]);
    });
  });

describe('wake-ups', () => {
  /** A transport whose sends end when the test says so. */
  class SlowTransport implements WakeUpTransport {
    readonly pauseMs = 0;
    readonly sent: Record<string, readonly Notice[]>[] = [];
    readonly started = new CallRecorder<[]>();
    private finish: (error?: Error) => void = () => undefined;

    start(): void {}

    async listen(): Promise<void> {}

    unlisten(): void {}

    send(letters: readonly Letter[]): Promise<void> {
      const sent: Record<string, readonly Notice[]> = {};
      for (const { channel, text } of letters)
        sent[channel] = [...(sent[channel] ?? []), ...(unpack(channel, text)?.notices ?? [])];
      this.sent.push(sent);
      this.started.listener();
      return new Promise((resolve, reject) => (this.finish = (error) => (error ? reject(error) : resolve())));
    }

    end(error?: Error): void {
      this.finish(error);
    }

    async close(): Promise<void> {
      this.finish();
    }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const head = (id: number, position: number) => ({ kind: 'wake-up', topic: 'head', realmId: id, position });

  it('merge what is published while a send is under way, and survive a send that fails', async () => {
    const transport = new SlowTransport();
    const wakeUps = new WakeUps(transport, log);
    for (let position = 1; position <= 5; position++) {
      wakeUps.publish('head', realm(1), at(position));
      wakeUps.publish('head', realm(2), at(1));
      await turn();
    }
    expect(transport.sent).toEqual([{ realm_1: [head(1, 1)], realm_2: [head(2, 1)] }]);
    transport.end(new Error('gone'));
    await transport.started.atLeast(2);
    expect(transport.sent.at(-1)).toEqual({ realm_1: [head(1, 5)], realm_2: [head(2, 1)] });
    transport.end();
  });

  it('do not let a listener that throws disturb the others or the publisher', async () => {
    const wakeUps = new WakeUps(new SlowTransport(), log);
    wakeUps.subscribe('log', shareOf(realm(1)), () => {
      throw new Error('broken');
    });
    const heard = await following(wakeUps);
    const unsubscribe = wakeUps.subscribe('log', shareOf(realm(1)), () => heard.listener(realm(99), at(99)));
    unsubscribe();
    wakeUps.publish('log', realm(1), at(1));
    await heard.atLeast(1);
    expect(heard.calls).toEqual([[1, 1]]);
  });

  it('keep the newest thousand signals of an outage', async () => {
    const transport = new SlowTransport();
    const wakeUps = new WakeUps(transport, log);
    wakeUps.signal('typing', realm(1), 0);
    await transport.started.atLeast(1);
    for (let index = 1; index <= 1_500; index++) wakeUps.signal('typing', realm(1), index);
    await turn();
    transport.end();
    await transport.started.atLeast(2);
    const sent = transport.sent.at(-1)?.['realm_1']?.map((notice) => notice.kind === 'signal' && notice.payload);
    expect(sent).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 501));
    transport.end();
  });

  it('fit into the notifications of PostgreSQL and come out of them as they went in', () => {
    const notices = Array.from({ length: 500 }, (_, index) =>
      index % 2
        ? ({ kind: 'wake-up', topic: 'head', realmId: realm(index), position: at(index) } as const)
        : ({
            kind: 'signal',
            name: 'typing',
            realmId: realm(index),
            payload: { text: '🎈'.repeat(index) },
            toAll: true,
          } as const),
    );
    const texts = pack('a', notices);
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_NOTICE_BYTES);
    expect(texts.flatMap((text) => unpack('signals', text)?.notices)).toEqual(notices);
    expect(texts.every((text) => unpack('signals', text)?.from === 'a')).toBe(true);
  });

  it.each(['', '{}', '[1]', '["a",1]', '["a",["w","head",1]]', '["a",["w","head","1",2]]', '["a",["s","typing",1]]'])(
    'are not read from %j',
    (text) => expect(unpack('share_1', text)).toBeNull(),
  );
});
