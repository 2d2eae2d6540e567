import { Redis } from 'ioredis';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connect } from '@nats-io/transport-node';
import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import { EngineProcess, describeWith } from '../../support/consumers/engine-process';
import { secrets } from '../../support/laws/secrets';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

/** A server that may connect to this machine. */
async function serverWith(env: Readonly<Record<string, string>> = {}): Promise<ServerWithUsers> {
  const users = await startWithUsers({ env: { ANNALS_WEBHOOK_ALLOW: '127.0.0.1', ...env } });
  await users.server.channel(users.owner, { name: 'room', subscribers: [users.owner] });
  // Topics exist before, so that a message is one event.
  for (const topic of ['a', 'b']) await sendAs(users.owner, topic);
  return users;
}

async function sendAs(owner: Person, topic: string): Promise<string> {
  const message = { type: 'channel', to: 'room', topic, content: 'x' };
  return `1/${granted(await owner.post<{ id: number }>('/messages', message)).id}`;
}

/** A consumer of messages from now on with a sink. */
async function sinkOf(owner: Person, name: string, sink: Params): Promise<ConsumerCaller> {
  const consumer = await ConsumerCaller.created(owner, name, { types: ['messages.MessageSent'] });
  granted(await owner.put(`/feed/consumers/${name}/sink`, sink));
  return consumer;
}

const failureOf = async (owner: Person, name: string) =>
  granted(await owner.get<{ sink: { failure: unknown } }>(`/feed/consumers/${name}/sink`)).sink.failure;

describeWith('nats', 'a consumer with a sink of NATS', () => {
  let engine: EngineProcess;
  let users: ServerWithUsers;
  const subject_prefix = 'chat.';
  beforeAll(async () => {
    engine = await EngineProcess.start('nats');
    users = await serverWith();
    await withNats(async (nats) => {
      const { streams } = await jetstreamManager(nats);
      await streams.add({ name: 'annals', subjects: [`${subject_prefix}>`] });
    });
  });
  afterAll(async () => {
    await users.server.close();
    await engine.drop();
  });

  async function withNats<T>(use: (nats: NatsConnection) => Promise<T>): Promise<T> {
    const nats = await connect({ servers: engine.address });
    try {
      return await use(nats);
    } finally {
      await nats.close();
    }
  }
  /** Ids of the events of the stream. */
  const stored = () =>
    withNats(async (nats) => {
      const count = (await (await jetstreamManager(nats)).streams.info('annals')).state.messages;
      const ids: string[] = [];
      if (count === 0) return ids;
      const consumer = await jetstream(nats).consumers.get('annals');
      for await (const message of await consumer.fetch({ max_messages: count }))
        ids.push(message.headers?.get('ce-id') ?? '');
      return ids;
    });

  it('stores its events there, and waits for an engine that is away, without losing or doubling any', async () => {
    const { server, owner } = users;
    const sink = { kind: 'nats', servers: [engine.url], stream: 'annals', subject_prefix };
    const consumer = await sinkOf(owner, 'nats', sink);
    const sent = [await sendAs(owner, 'a'), await sendAs(owner, 'b'), await sendAs(owner, 'a')];
    await server.eventsPushed();
    expect(await stored()).toEqual(sent);
    expect(await consumer.shown()).toMatchObject({ delivery: 'sink', state: 'active', lag: { events: 0 } });

    await engine.stop();
    sent.push(await sendAs(owner, 'a'), await sendAs(owner, 'b'));
    await server.eventsPushed();
    expect(await consumer.shown()).toMatchObject({ state: 'failing', lag: { events: 2 } });
    expect(await failureOf(owner, 'nats')).toMatchObject({ reason: expect.stringMatching(/^NATS /) as unknown });
    sent.push(await sendAs(owner, 'a'));
    await engine.start();
    server.clock.advance(60_000);
    await server.eventsPushed();
    expect(await stored()).toEqual(sent);
    expect(await consumer.shown()).toMatchObject({ state: 'active', lag: { events: 0 } });
    expect(await failureOf(owner, 'nats')).toBeNull();
  });

  it('does not fail for ever when its stream is created', async () => {
    const { server, owner } = users;
    const consumer = await sinkOf(owner, 'later', {
      kind: 'nats',
      servers: [engine.url],
      stream: 'later',
      subject_prefix: 'later.',
    });
    await sendAs(owner, 'a');
    await server.eventsPushed();
    expect(await failureOf(owner, 'later')).toMatchObject({ attempts: 1, reason: 'NATS has no stream named later' });
    await withNats(async (nats) =>
      (await jetstreamManager(nats)).streams.add({ name: 'later', subjects: ['later.>'] }),
    );
    server.clock.advance(1_000);
    await server.eventsPushed();
    expect(await consumer.shown()).toMatchObject({ state: 'active', lag: { events: 0 } });
  });
});

const PASSWORD = 'a password of the Redis of a sink';

describeWith('redis', 'a consumer with a sink of Redis', () => {
  let engine: EngineProcess;
  let users: ServerWithUsers;
  beforeAll(async () => {
    secrets.add('sink password', PASSWORD);
    engine = await EngineProcess.start('redis', PASSWORD);
    const login = { servers: [engine.address], password: PASSWORD };
    const credentials = {
      crm: login,
      elsewhere: { ...login, servers: ['127.0.0.1:1'] },
      others: { ...login, organizations: [2] },
    };
    users = await serverWith({ ANNALS_SINK_CREDENTIALS: JSON.stringify(credentials) });
  });
  afterAll(async () => {
    await users.server.close();
    await engine.drop();
  });

  /** Ids of the events of the stream. */
  const stored = async () => {
    const client = new Redis(engine.url, { password: PASSWORD, disconnectTimeout: 50 });
    const entries = await client.xrange('annals', '-', '+');
    client.disconnect();
    return entries.map(([, fields]) => fields[1]);
  };
  const sink = (more: Params = {}) => ({
    kind: 'redis',
    url: engine.url,
    stream: 'annals',
    credentials: 'crm',
    ...more,
  });

  it('stores its events there, and waits for an engine that is away, without losing any', async () => {
    const { server, owner } = users;
    const consumer = await sinkOf(owner, 'redis', sink());
    const sent = [await sendAs(owner, 'a'), await sendAs(owner, 'b')];
    await server.eventsPushed();
    expect(await stored()).toEqual(sent);
    await engine.stop();
    sent.push(await sendAs(owner, 'a'), await sendAs(owner, 'a'));
    await server.eventsPushed();
    expect(await consumer.shown()).toMatchObject({ state: 'failing', lag: { events: 2 } });
    await engine.start();
    server.clock.advance(60_000);
    await server.eventsPushed();
    expect(await stored()).toEqual(sent);
    expect(await consumer.shown()).toMatchObject({ state: 'active', lag: { events: 0 } });
  });

  it('has only credentials that are for its organization and its server', async () => {
    const { owner } = users;
    await ConsumerCaller.created(owner, 'login');
    for (const credentials of ['elsewhere', 'others', 'nobody', 'toString']) {
      const msg = `The server has no credentials named '${credentials}' for these addresses`;
      const answer = await owner.put('/feed/consumers/login/sink', sink({ credentials }));
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } });
    }
  });

  it('fails without credentials, and says what the engine answered', async () => {
    const { server, owner } = users;
    await sinkOf(owner, 'anonymous', sink({ credentials: undefined }));
    await sendAs(owner, 'a');
    await server.eventsPushed();
    expect(await failureOf(owner, 'anonymous')).toMatchObject({ reason: expect.stringMatching(/NOAUTH/) as unknown });
  });
});
