import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelId } from '@annals/kernel/domain';
import zulip from 'zulip-js';
import type { Person } from '../support/server/organization';
import { afterMinutes, inPast, thisMoment } from '../support/server/past';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

const ok = { result: 'success', msg: '' };

let server: TestServer;
let ann: Person;
let bob: Person;
let channel: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  bob = await server.person({ name: 'Bob' });
  channel = await server.channel(server.owner, { name: 'plans', subscribers: [ann, bob] });
});
afterAll(() => server.close());

const clientOf = ({ email, key }: Person) => zulip({ username: email, apiKey: key, realm: server.url });

describe('zulip-js 2.1.0, unmodified,', () => {
  it('fetches a key for an email and a password, and uses that account', async () => {
    const client = await zulip({ username: ann.email, password: ann.password, realm: server.url });
    expect(client.config.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(client.config.apiKey).not.toBe(ann.key);
    expect(await client.users.me.getProfile()).toMatchObject({ ...ok, user_id: ann.id, full_name: 'Ann' });
  });

  it('gets an error when the key is wrong', async () => {
    const client = await zulip({ username: ann.email, apiKey: 'x'.repeat(32), realm: server.url });
    expect(await client.users.me.getProfile()).toMatchObject({ result: 'error', code: 'INVALID_API_KEY' });
  });

  it('asks for the server, its channels and its people', async () => {
    const client = await clientOf(ann);
    expect(await client.server.settings()).toMatchObject({ ...ok, zulip_feature_level: 500 });
    const { streams } = await client.streams.retrieve();
    expect(streams).toContainEqual(expect.objectContaining({ name: 'plans', stream_id: channel }));
    expect(await client.streams.getStreamId('plans')).toMatchObject({ ...ok, stream_id: channel });
    const { subscriptions } = await client.streams.subscriptions.retrieve();
    expect(subscriptions).toContainEqual(expect.objectContaining({ name: 'plans' }));
    const { members } = await client.users.retrieve({ client_gravatar: true });
    expect(members).toContainEqual(expect.objectContaining({ full_name: 'Bob', user_id: bob.id }));
  });

  it('subscribes to a channel that it creates so', async () => {
    const client = await clientOf(ann);
    const subscriptions = JSON.stringify([{ name: 'from afar', description: 'made by a library' }]);
    expect(await client.users.me.subscriptions.add({ subscriptions })).toMatchObject({
      ...ok,
      subscribed: { [ann.id]: ['from afar'] },
    });
  });

  it('sends, edits and reads messages', async () => {
    const client = await clientOf(ann);
    const message = { type: 'stream', to: 'plans', topic: 'spring', content: 'A *first* text' };
    const sent = await client.messages.send(message);
    expect(sent).toEqual({ ...ok, id: expect.any(Number) as number, automatic_new_visibility_policy: 3 });
    const edited = await client.messages.update({ message_id: sent['id'], content: 'A *second* text' });
    expect(edited).toMatchObject(ok);
    expect(await client.messages.getById({ message_id: sent['id'] })).toMatchObject({
      ...ok,
      message: { subject: 'spring', display_recipient: 'plans', content: '<p>A <em>second</em> text</p>' },
    });
    const narrow = [{ operator: 'channel', operand: 'plans' }];
    const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
    const { messages } = await client.messages.retrieve(asked);
    expect(messages).toEqual([expect.objectContaining({ id: sent['id'], sender_full_name: 'Ann' })]);
  });

  it('sends direct messages, to one and to several', async () => {
    const client = await clientOf(ann);
    for (const to of [bob.email, [bob.id], [bob.email, server.owner.email]]) {
      const sent = await client.messages.send({ type: 'private', to, content: 'between us' });
      expect(sent).toMatchObject(ok);
      expect((await bob.get(`/messages/${String(sent['id'])}`)).body).toMatchObject({
        message: { type: 'private', sender_id: ann.id },
      });
    }
  });

  it('registers a queue and receives what happens', async () => {
    const client = await clientOf(bob);
    const queue = await client.queues.register({ event_types: ['message', 'update_message'] });
    expect(queue).toMatchObject({ ...ok, queue_id: expect.any(String) as string });
    const { queue_id } = queue;
    const hanging = client.events.retrieve({ queue_id, last_event_id: queue['last_event_id'], dont_block: false });
    const author = await clientOf(ann);
    const { id } = await author.messages.send({ type: 'stream', to: 'plans', topic: 'news', content: 'Listen!' });
    const { events } = (await hanging) as unknown as { events: { id: number }[] };
    expect(events).toMatchObject([{ type: 'message', message: { id, content: 'Listen!', subject: 'news' } }]);
    await author.messages.update({ message_id: id, content: 'Listen well!' });
    const next = await client.events.retrieve({ queue_id, last_event_id: events.at(-1)?.id, dont_block: false });
    expect(next['events']).toMatchObject([{ type: 'update_message', message_id: id, content: 'Listen well!' }]);
    expect(await client.queues.deregister({ queue_id })).toMatchObject(ok);
  });

  it('sees the organization as it was', async () => {
    const author = await clientOf(ann);
    const { id } = await author.messages.send({ type: 'stream', to: 'plans', topic: 'past', content: 'as it was' });
    const then = await thisMoment(server);
    await author.messages.update({ message_id: id, content: 'as it is' });
    await inPast(server, then, async (realm) => {
      const client = await zulip({ username: bob.email, apiKey: bob.key, realm });
      const { queue_id, last_event_id, ...state } = await client.queues.register({ fetch_event_types: ['realm_user'] });
      expect(state).toMatchObject({
        ...ok,
        realm_users: expect.arrayContaining([expect.objectContaining({ full_name: 'Ann' })]) as unknown,
      });
      const narrow = [{ operator: 'topic', operand: 'past' }];
      const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
      const { messages } = await client.messages.retrieve(asked);
      expect(messages).toEqual([expect.objectContaining({ id, content: '<p>as it was</p>' })]);
      const refused = await client.messages.send({ type: 'stream', to: 'plans', topic: 'past', content: 'too late' });
      expect(refused).toMatchObject({ result: 'error', code: 'READ_ONLY_PAST' });
      const hanging = client.events.retrieve({ queue_id, last_event_id, dont_block: false });
      expect(await afterMinutes(server, hanging)).toMatchObject({ ...ok, events: [{ type: 'heartbeat' }] });
      expect(await client.queues.deregister({ queue_id })).toMatchObject(ok);
    });
  });

  it('drives a bot that answers direct messages', async () => {
    const bot = await server.bot(ann);
    const child = fork(join(__dirname, 'programs/echo-bot.ts'), [server.url, bot.email, bot.key], {
      execArgv: ['-r', require.resolve('../support/typescript.cjs')],
    });
    try {
      await untilItListens(bot);
      const queue = await bob.register({ event_types: ['message'] });
      await bob.post('/messages', { type: 'direct', to: [bot.id], content: 'hello' });
      const [own] = await bob.poll(queue.queue_id, queue.last_event_id);
      const [answer] = await bob.poll(queue.queue_id, own?.id ?? -1);
      expect(answer).toMatchObject({ message: { sender_id: bot.id, content: 'You said: hello' } });
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  /** The library does not report when it has registered its queue, so the spec looks for the queue itself. */
  async function untilItListens({ id }: Person): Promise<void> {
    const { pool } = server.kernel.database;
    const asked = 'SELECT FROM client_queues WHERE realm_id = 1 AND user_id = $1';
    while ((await pool.query(asked, [id])).rowCount === 0) await pause(20);
  }
});
