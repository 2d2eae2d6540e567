import { ConsumerCaller } from '../../support/consumers/consumer-caller';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

let users: ServerWithUsers;
beforeAll(async () => (users = await startWithUsers({ env: { ANNALS_WEBHOOK_ALLOW: '127.0.0.1' } })));
afterAll(() => users.server.close());
afterEach(async () => {
  const { consumers: all } = granted(await users.owner.get<{ consumers: { name: string }[] }>('/feed/consumers'));
  for (const { name } of all) granted(await users.owner.delete(`/feed/consumers/${name}`));
});

let consumers = 0;
/** A consumer of Mia that nobody pulls, with the path of its sink. It gets nothing. */
async function ofMia(): Promise<{ consumer: ConsumerCaller; path: string }> {
  const wanted = { view: 'client', types: ['alert_words'] };
  const consumer = await ConsumerCaller.created(users.member, `sink-${(consumers += 1)}`, wanted);
  return { consumer, path: `/feed/consumers/${consumer.name}/sink` };
}
/** An address on which nothing listens. */
const NOWHERE = '127.0.0.1:1';
const NATS = { kind: 'nats', servers: [`nats://${NOWHERE}`], stream: 'chat', subject_prefix: 'chat.' };
const KAFKA = { kind: 'kafka', brokers: [NOWHERE], topic: 'chat' };
const REDIS = { kind: 'redis', url: `redis://${NOWHERE}/2`, stream: 'chat' };
const BAD = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const bad = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } });
const MISSING = { status: 404, body: { code: 'NO_SUCH_CONSUMER' } };
const FORBIDDEN = { status: 403, body: { code: 'BAD_REQUEST' } };
const shownTo = async (by: Person, path: string) => granted(await by.get<{ sink: Record<string, unknown> }>(path)).sink;

describe('a sink', () => {
  it.each([NATS, KAFKA, REDIS])('is set, shown and ended: %j', async (sink) => {
    const { consumer, path } = await ofMia();
    expect(await users.member.get(path)).toMatchObject(bad('This consumer has no sink'));
    const set = granted(await users.member.put<{ consumer: unknown }>(path, sink));
    expect(set.consumer).toMatchObject({ name: consumer.name, delivery: 'sink', state: 'active' });
    expect(await shownTo(users.member, path)).toEqual({ ...sink, failure: null });
    expect(await consumer.ask()).toMatchObject(bad('The events of this consumer are stored in its sink'));
    expect(await consumer.ack({ ids: ['1/1'] })).toMatchObject(BAD);
    granted(await users.member.delete(path));
    expect(await consumer.ids()).toEqual([]);
    expect(await consumer.shown()).toMatchObject({ delivery: 'pull' });
    expect(await users.member.delete(path)).toMatchObject(bad('This consumer has no sink'));
  });

  it('replaces another one, and equal values are no event', async () => {
    const { path } = await ofMia();
    granted(await users.member.put(path, REDIS));
    granted(await users.member.put(path, NATS));
    const events = async () =>
      (await users.server.kernel.database.pool.query("SELECT FROM events WHERE type = 'consumers.SinkSet'")).rowCount;
    const before = await events();
    granted(await users.member.put(path, NATS));
    expect(await events()).toBe(before);
    expect(await shownTo(users.member, path)).toEqual({ ...NATS, failure: null });
  });

  it('is not beside a webhook', async () => {
    const { consumer, path } = await ofMia();
    const webhook = `/feed/consumers/${consumer.name}/webhook`;
    const url = `http://${NOWHERE}/`;
    granted(await users.member.put(webhook, { url }));
    expect(await users.member.put(path, REDIS)).toMatchObject(BAD);
    granted(await users.member.delete(webhook));
    granted(await users.member.put(path, REDIS));
    expect(await users.member.put(webhook, { url })).toMatchObject(BAD);
  });

  it('is set by the owner of the consumer, seen and ended by owners of the organization too, and by nobody else', async () => {
    const { path } = await ofMia();
    expect(await users.owner.put(path, REDIS)).toMatchObject(FORBIDDEN);
    for (const stranger of [users.other, users.administrator, users.guest])
      expect(await stranger.put(path, REDIS)).toMatchObject(MISSING);
    granted(await users.member.put(path, REDIS));
    for (const stranger of [users.other, users.administrator, users.guest]) {
      expect(await stranger.get(path)).toMatchObject(MISSING);
      expect(await stranger.delete(path)).toMatchObject(MISSING);
    }
    expect(await shownTo(users.owner, path)).toMatchObject(REDIS);
    granted(await users.owner.delete(path));
  });

  it('belongs to a consumer that its owner may still read', async () => {
    const log = await ConsumerCaller.created(users.owner, 'log');
    granted(await users.owner.put(`/feed/consumers/${log.name}/sink`, REDIS));
    expect(await users.member.put(`/feed/consumers/${log.name}/sink`, REDIS)).toMatchObject(MISSING);
  });
});

describe('the parameters of a sink', () => {
  it.each<[string, Params, string]>([
    ['an unknown engine', { ...NATS, kind: 'amqp' }, 'Invalid kind'],
    ['no servers', { ...NATS, servers: undefined }, "A sink of the kind 'nats' needs 'servers'"],
    ['no stream', { ...NATS, stream: undefined }, "A sink of the kind 'nats' needs 'stream'"],
    ['no topic', { ...KAFKA, topic: undefined }, "A sink of the kind 'kafka' needs 'topic'"],
    [
      'a part of another engine',
      { ...KAFKA, subject_prefix: 'a.' },
      "A sink of the kind 'kafka' has no 'subject_prefix'",
    ],
    [
      'a login in a URL',
      { ...REDIS, url: `redis://:pw@${NOWHERE}` },
      "'url' may not have credentials in it. 'credentials' names those of the server",
    ],
    [
      'a login in a broker',
      { ...KAFKA, brokers: [`a:b@${NOWHERE}`] },
      "'brokers' may not have credentials in it. 'credentials' names those of the server",
    ],
    ['a URL of the web', { ...REDIS, url: 'http://example.com' }, 'Invalid url'],
    ['a Redis database that is no number', { ...REDIS, url: `redis://${NOWHERE}/x` }, 'Invalid url'],
    ['a path of NATS', { ...NATS, servers: [`nats://${NOWHERE}/x`] }, 'Invalid servers'],
    ['a port that is none', { ...KAFKA, brokers: ['127.0.0.1:99999'] }, 'Invalid brokers'],
    ['a question mark', { ...REDIS, url: `redis://${NOWHERE}?x=1` }, 'Invalid url'],
    ['a stream that NATS cannot have', { ...NATS, stream: 'a.b' }, 'Invalid stream'],
    ['a topic that Kafka cannot have', { ...KAFKA, topic: 'a b' }, 'Invalid topic'],
    ['a topic of dots', { ...KAFKA, topic: '..' }, 'Invalid topic'],
    ['a prefix without a dot at the end', { ...NATS, subject_prefix: 'chat' }, 'Invalid subject_prefix'],
    ['a prefix with a wildcard', { ...NATS, subject_prefix: '*.' }, 'Invalid subject_prefix'],
    ['a private address', { ...REDIS, url: 'rediss://10.1.2.3' }, '10.1.2.3:6379 is not a public address'],
    [
      'the metadata of a cloud',
      { ...KAFKA, brokers: ['169.254.169.254:80'] },
      '169.254.169.254:80 is not a public address',
    ],
    [
      'a loopback address that is not allowed',
      { ...NATS, servers: ['tls://[::1]'] },
      '[::1]:4222 is not a public address',
    ],
    ['a public address without TLS', { ...NATS, servers: ['nats://1.1.1.1'] }, '1.1.1.1:4222 must be encrypted'],
    [
      'credentials that do not exist',
      { ...REDIS, credentials: 'crm' },
      "The server has no credentials named 'crm' for these addresses",
    ],
  ])('may not have %s', async (_, sink, msg) => {
    const { path } = await ofMia();
    expect(await users.member.put(path, sink)).toMatchObject(bad(msg));
  });

  it.each<[string, Params]>([
    ['no list of servers', { ...NATS, servers: 'nats://127.0.0.1:1' }],
    ['an empty list', { ...NATS, servers: [] }],
    ['too many servers', { ...NATS, servers: Array.from({ length: 17 }, () => `nats://${NOWHERE}`) }],
    ['too long an address', { ...REDIS, url: `redis://${'a'.repeat(500)}` }],
    ['too long a name', { ...REDIS, stream: 'a'.repeat(501) }],
    ['an empty name', { ...REDIS, stream: '' }],
  ])('may not have %s', async (_, sink) => {
    const { path } = await ofMia();
    expect(await users.member.put(path, sink)).toMatchObject(BAD);
    expect(await users.member.get(path)).toMatchObject(BAD);
  });
});
