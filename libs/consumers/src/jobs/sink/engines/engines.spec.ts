import { Redis } from 'ioredis';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connect } from '@nats-io/transport-node';
import { EngineProcess, describeWith } from '../../../../../../test/support/consumers/engine-process';
import { exampleEvent } from '../../../../../../test/support/consumers/example-events';
import type { ConsumerEvent } from '../../../read/reading/cloud-event';
import type { SinkTarget } from '../../../domain/sink/sink-target';
import type { ConnectSink, SinkAccess } from './engine';
import { SinkFault } from './engine';
import { connectNats } from './nats-engine';
import { connectRedis } from './redis-engine';

const target = (kind: SinkTarget['kind'], server: string, stream = 'annals'): SinkTarget => ({
  ...{ kind, servers: [server], stream, subjectPrefix: kind === 'nats' ? 'chat.' : '', credentials: null },
});
const access = (to: SinkTarget, asked: Partial<SinkAccess> = {}): SinkAccess => ({
  ...{ target: to, credential: null, addressesOf: (host: string) => Promise.resolve([host]) },
  ...asked,
});
/** Opens a sink, uses it and closes it. */
async function withSink(
  open: ConnectSink,
  asked: SinkAccess,
  use: (sink: Awaited<ReturnType<ConnectSink>>) => unknown,
) {
  const sink = await open(asked);
  try {
    await use(sink);
  } finally {
    await sink.close();
  }
}
/** Gives the engine a batch, stops the engine while it takes it, and gives it the same batch again. */
async function interrupted(
  engine: EngineProcess,
  open: ConnectSink,
  asked: SinkAccess,
  batch: readonly ConsumerEvent[],
) {
  await withSink(open, asked, async (sink) => {
    const storing = sink.store(batch).catch((error: unknown) => error);
    await engine.stop();
    const error = await storing;
    if (error !== undefined) expect(error).toBeInstanceOf(SinkFault);
  });
  await engine.start();
  await withSink(open, asked, (sink) => sink.store(batch));
}
/** The positions of ids such as `1/412`, each at its first time, apart by the key that `events` gives them. */
const byKey = (ids: readonly string[]) => {
  const positions = [...new Set(ids.map((id) => Number(id.slice(2))))];
  return [0, 1, 2].map((key) => positions.filter((position) => position % 3 === key));
};
const ascending = (list: readonly number[]) => [...list].sort((one, other) => one - other);
const events = (...positions: number[]) =>
  positions.map((position) => exampleEvent({ position, key: `topic/${position % 3}` }));

describeWith('nats', 'a sink of NATS JetStream', () => {
  let engine: EngineProcess;
  beforeAll(async () => {
    engine = await EngineProcess.start('nats');
    await withNats(async (nats) => {
      const { streams } = await jetstreamManager(nats);
      await streams.add({ name: 'annals', subjects: ['chat.annals.>'] });
    });
  });
  afterAll(() => engine.drop());

  const withNats = async <T>(use: (nats: NatsConnection) => Promise<T>): Promise<T> => {
    const nats = await connect({ servers: engine.address });
    try {
      return await use(nats);
    } finally {
      await nats.close();
    }
  };
  /** All messages of the stream. */
  const stored = () =>
    withNats(async (nats) => {
      const count = (await (await jetstreamManager(nats)).streams.info('annals')).state.messages;
      const consumer = await jetstream(nats).consumers.get('annals');
      const messages = [];
      for await (const message of await consumer.fetch({ max_messages: count, expires: 10_000 }))
        messages.push(message);
      return messages;
    });

  it('stores events in order, with the headers of CloudEvents, and each once', async () => {
    await withSink(connectNats, access(target('nats', engine.url)), async (sink) => {
      await sink.store(events(1, 2, 3, 4, 5, 6, 7));
      await sink.store(events(6, 7, 8));
    });
    const messages = await stored();
    expect(messages.map(({ headers }) => headers?.get('ce-id'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `1/${n}`));
    expect(messages[0]?.subject).toBe('chat.annals.messages.MessageSent.v1');
    expect(messages[0]?.headers?.get('Nats-Msg-Id')).toBe('1/1');
    expect(messages[0]?.json()).toEqual(events(1)[0]?.cloudEvent.data);
  });

  it('says that there is no such stream, or that it does not take the events', async () => {
    const missing = access(target('nats', engine.url, 'nowhere'));
    await expect(connectNats(missing)).rejects.toThrow(new SinkFault('NATS has no stream named nowhere'));
    const alien = access({ ...target('nats', engine.url), subjectPrefix: 'alien.' });
    const reason = 'The stream annals of NATS does not take the subject alien.annals.messages.MessageSent.v1';
    await withSink(connectNats, alien, (sink) => expect(sink.store(events(9))).rejects.toThrow(new SinkFault(reason)));
  });

  it('says that a server is away, and continues after it is back with what it had', async () => {
    await withSink(connectNats, access(target('nats', engine.url)), async (sink) => {
      await engine.stop();
      await expect(sink.store(events(9))).rejects.toBeInstanceOf(SinkFault);
    });
    await expect(connectNats(access(target('nats', engine.url)))).rejects.toThrow(
      /^NATS at 127.0.0.1:\d+ cannot be reached/,
    );
    await engine.start();
    await withSink(connectNats, access(target('nats', engine.url)), (sink) => sink.store(events(8, 9, 10)));
    expect((await stored()).map(({ headers }) => headers?.get('ce-id')).slice(-3)).toEqual(['1/8', '1/9', '1/10']);
  });

  it('stores each event once and in the order of its key, if it is stopped in the middle of a batch', async () => {
    const batch = events(...Array.from({ length: 2_000 }, (_, n) => 1_000 + n));
    await interrupted(engine, connectNats, access(target('nats', engine.url)), batch);
    const ids = (await stored()).map(({ headers }) => headers?.get('ce-id') ?? '').filter((id) => id.length === 6);
    expect(ids).toHaveLength(batch.length);
    for (const positions of byKey(ids)) expect(positions).toEqual(ascending(positions));
    expect(new Set(ids).size).toBe(batch.length);
  });

  it('connects to no address that is not allowed', async () => {
    const addressesOf = () => Promise.reject(new SinkFault('not allowed'));
    await expect(connectNats(access(target('nats', engine.url), { addressesOf }))).rejects.toThrow('not allowed');
  });
});

describeWith('redis', 'a sink of Redis', () => {
  let engine: EngineProcess;
  beforeAll(async () => (engine = await EngineProcess.start('redis')));
  afterAll(() => engine.drop());

  /** Fields of all entries of the stream. */
  const stored = async () => {
    const client = new Redis(engine.url, { disconnectTimeout: 50 });
    const entries = await client.xrange('annals', '-', '+');
    client.disconnect();
    return entries.map(([, fields]) => fields);
  };

  it('stores events in order, as JSON', async () => {
    await withSink(connectRedis, access(target('redis', engine.url)), (sink) => sink.store(events(1, 2, 3)));
    const entries = await stored();
    expect(entries.map((fields) => fields[1])).toEqual(['1/1', '1/2', '1/3']);
    expect(JSON.parse(entries[0]?.[7] ?? '')).toEqual(events(1)[0]?.cloudEvent);
  });

  it('stores nothing of what it cannot store in whole', async () => {
    const client = new Redis(engine.url, { disconnectTimeout: 50 });
    await client.set('text', 'x');
    client.disconnect();
    const wrong = access(target('redis', engine.url, 'text'));
    await withSink(connectRedis, wrong, (sink) => expect(sink.store(events(4, 5))).rejects.toThrow(/WRONGTYPE/));
  });

  it('says that a server is away, and continues after it is back with what it had', async () => {
    await withSink(connectRedis, access(target('redis', engine.url)), async (sink) => {
      await engine.stop();
      await expect(sink.store(events(4))).rejects.toBeInstanceOf(SinkFault);
    });
    await expect(connectRedis(access(target('redis', engine.url)))).rejects.toThrow(/^Redis cannot be reached: /);
    await engine.start();
    await withSink(connectRedis, access(target('redis', engine.url)), (sink) => sink.store(events(4, 5)));
    expect((await stored()).map((fields) => fields[1])).toEqual(['1/1', '1/2', '1/3', '1/4', '1/5']);
  });

  it('stores all events in the order of their keys, if it is stopped in the middle of a batch', async () => {
    const batch = events(...Array.from({ length: 2_000 }, (_, n) => 1_000 + n));
    await interrupted(engine, connectRedis, access(target('redis', engine.url)), batch);
    const ids = (await stored()).map((fields) => fields[1] ?? '').filter((id) => id.length === 6);
    expect(new Set(ids).size).toBe(batch.length);
    for (const positions of byKey(ids)) expect(positions).toEqual(ascending(positions));
  });
});
