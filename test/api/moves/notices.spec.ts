import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let open: number;
let next: number;
let bot: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member] });
  next = await server.channel(owner, { name: 'next', subscribers: [owner, member] });
  const state = await owner.register({ fetch_event_types: ['realm_user'] });
  const bots = state['cross_realm_bots'] as { user_id: number; email: string }[];
  bot = bots.find(({ email }) => email.startsWith('notification-bot'))?.user_id ?? 0;
});
afterAll(() => server.close());

let count = 0;
const newTopic = () => `topic ${++count}`;
const post = async (by: Person, topic: string, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'hello', ...params }))
    .id;
const move = async (by: Person, id: number, params: Params) => granted(await by.patch(`/messages/${id}`, params));

interface Found {
  readonly id: number;
  readonly sender_id: number;
  readonly content: string;
  readonly flags: readonly string[];
}
const inTopic = async (by: Person, channel: number, topic: string) => {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ];
  const params = { narrow, anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  return granted(await by.get<{ messages: Found[] }>('/messages', params)).messages;
};
const notices = async (channel: number, topic: string, by = member) =>
  (await inTopic(by, channel, topic)).filter(({ sender_id }) => sender_id === bot).map(({ content }) => content);

describe('the notice of a move', () => {
  const actor = async () => {
    const { full_name, user_id } = (await owner.get<{ full_name: string; user_id: number }>('/users/me')).body;
    return `@_**${full_name}|${user_id}**`;
  };

  it('is in the new topic, unless disabled', async () => {
    const [topic, there, quiet] = [newTopic(), newTopic(), newTopic()];
    const id = await post(member, topic);
    await post(member, topic);
    await move(owner, id, { topic: there, propagate_mode: 'change_all' });
    expect(await notices(open, there)).toEqual([`${await actor()} moved this topic here from #**open>${topic}**.`]);
    expect(await notices(open, topic)).toEqual([]);
    await move(owner, id, { topic: quiet, propagate_mode: 'change_all', send_notification_to_new_thread: false });
    expect(await notices(open, quiet)).toHaveLength(1);
  });

  it('is in the old topic only on request', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    const id = await post(member, topic);
    const away = { send_notification_to_new_thread: false, send_notification_to_old_thread: true };
    await move(owner, id, { topic: there, stream_id: next, propagate_mode: 'change_all', ...away });
    expect(await notices(open, topic)).toEqual([`${await actor()} moved this topic to #**next>${there}**.`]);
    expect(await notices(next, there)).toEqual([]);
  });

  it('has the count for a partial move', async () => {
    const [topic, one, two] = [newTopic(), newTopic(), newTopic()];
    await post(member, topic);
    const [second, third] = [await post(member, topic), await post(member, topic)];
    await post(member, topic);
    const both = { send_notification_to_old_thread: true };
    await move(owner, second, { topic: one, ...both });
    expect(await notices(open, one)).toEqual([`${await actor()} moved a message here from #**open>${topic}**.`]);
    expect(await notices(open, topic)).toEqual([`${await actor()} moved a message from here to #**open>${one}**.`]);
    await move(owner, third, { topic: two, propagate_mode: 'change_later' });
    expect(await notices(open, two)).toContain(`${await actor()} moved 3 messages here from #**open>${topic}**.`);
  });

  it('moves with the topic on later moves', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    const head = async () => (await server.kernel.events.heads()).get(1 as never) ?? 0;
    const written = [];
    for (const name of [`${topic} b`, `${topic} c`, `✔ ${topic} c`, `${topic} d`, `${topic} e`]) {
      const before = await head();
      await move(owner, id, { topic: name, propagate_mode: 'change_all' });
      const types = (await server.kernel.events.page(1 as never, before, 100)).map(({ type }) => type);
      written.push(types.filter((type) => type.startsWith('messages.Topic')));
    }
    expect(written).toEqual(Array.from({ length: 5 }, () => ['messages.TopicMoved']));
    const away = { stream_id: next, propagate_mode: 'change_one' };
    await move(owner, id, { ...away, topic: `${topic} alone` });
    const { rows } = await server.kernel.database.pool.query(
      `SELECT FROM view.topics WHERE realm_id = 1 AND channel_id = $1 AND name = $2`,
      [next, `${topic} alone`],
    );
    expect(rows).toHaveLength(1);
    expect(await notices(next, `${topic} alone`)).toHaveLength(1);
  });

  it('has the count for a merged topic', async () => {
    const [topic, there, alone] = [newTopic(), newTopic(), newTopic()];
    await post(member, there);
    const id = await post(member, topic);
    await post(member, topic);
    await move(owner, id, { topic: there, propagate_mode: 'change_all', send_notification_to_old_thread: true });
    expect(await notices(open, there)).toEqual([`${await actor()} moved 2 messages here from #**open>${topic}**.`]);
    expect(await notices(open, topic)).toEqual([`${await actor()} moved this topic to #**open>${there}**.`]);
    await move(owner, await post(member, alone), { topic: there, propagate_mode: 'change_all' });
    expect((await notices(open, there))[1]).toBe(`${await actor()} moved a message here from #**open>${alone}**.`);
  });

  it('is in the old topic, even after a merge', async () => {
    const [a, b, secret] = [newTopic(), newTopic(), newTopic()];
    const hidden = await server.channel(owner, { name: 'hidden', invite_only: true, subscribers: [owner] });
    const id = await post(member, a);
    await post(member, b);
    const quietly = { send_notification_to_new_thread: false, propagate_mode: 'change_all' };
    await move(owner, id, { ...quietly, topic: b });
    const away = { ...quietly, stream_id: hidden, topic: secret, send_notification_to_old_thread: true };
    const received = await member.receive(() => move(owner, id, away), 'message');
    expect(received).toMatchObject([{ message: { stream_id: open, subject: b } }]);
    expect(await notices(open, b)).toEqual([`${await actor()} moved this topic to #**hidden>${secret}**.`]);
    expect(await notices(hidden, secret, owner)).toEqual([]);
  });

  it('does not count messages that already have the new name', async () => {
    const lower = newTopic();
    const upper = lower.toUpperCase();
    await post(member, upper);
    const [second, third] = [await post(member, upper), await post(member, lower)];
    const received = await member.receive(() => move(owner, second, { topic: lower, propagate_mode: 'change_later' }), {
      event_types: ['update_message'],
    });
    expect(received).toMatchObject([{ message_ids: [second] }]);
    expect(await notices(open, lower)).toEqual([`${await actor()} moved a message here from #**open>${upper}**.`]);
    await move(owner, third, { topic: `${lower} more`, propagate_mode: 'change_all' });
    expect(await notices(open, `${lower} more`)).toContain(
      `${await actor()} moved this topic here from #**open>${lower}**.`,
    );
  });

  it('is absent for an edit of the text', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    await move(member, id, { content: 'other', send_notification_to_new_thread: true });
    expect(await notices(open, topic)).toEqual([]);
  });

  it('is read for the actor only', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    await move(owner, await post(member, topic), { topic: there });
    const seen = async (who: Person) => (await inTopic(who, open, there)).at(-1)?.flags;
    expect(await seen(owner)).toEqual(['read']);
    expect(await seen(member)).toEqual([]);
  });

  it('is sent after the move', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    const id = await post(member, topic);
    const received = await member.receive(() => move(owner, id, { topic: there }), {
      event_types: ['message', 'update_message'],
    });
    expect(received.map(({ type }) => type)).toEqual(['update_message', 'message']);
  });

  it('names a topic that is not possible in a link', async () => {
    const [topic, there] = ['2 * 3', newTopic()];
    await move(owner, await post(member, topic), { topic: there });
    expect(await notices(open, there)).toEqual([`${await actor()} moved this topic here from #**open** > \`2 * 3\`.`]);
  });
});

describe('the notice of a resolved topic', () => {
  const resolve = (id: number, topic: string, params: Params = {}) =>
    move(member, id, { topic, propagate_mode: 'change_all', ...params });

  it('is sent once, and is no move notice', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    await resolve(id, `✔ ${topic}`);
    expect(await notices(open, `✔ ${topic}`)).toEqual([`@_**Mia|${member.id}** marked this topic as resolved.`]);
    server.clock.advance(61_000);
    await resolve(id, topic);
    expect(await notices(open, topic)).toEqual([
      `@_**Mia|${member.id}** marked this topic as resolved.`,
      `@_**Mia|${member.id}** marked this topic as unresolved.`,
    ]);
  });

  it('is deleted by unresolving within a minute', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    await resolve(id, `✔ ${topic}`);
    server.clock.advance(30_000);
    const received = await owner.receive(() => resolve(id, topic), {
      event_types: ['message', 'update_message', 'delete_message'],
    });
    expect(received.map(({ type }) => type)).toEqual(['update_message', 'delete_message']);
    expect(await notices(open, topic)).toEqual([]);
  });

  it('stays where other messages were sent meanwhile', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    await resolve(id, `✔ ${topic}`);
    await post(owner, `✔ ${topic}`);
    await resolve(id, topic);
    expect(await notices(open, topic)).toHaveLength(2);
  });

  it('is sent for a topic whose name is too long for the mark too', async () => {
    const topic = 'x'.repeat(60);
    const resolved = `✔ ${'x'.repeat(55)}...`;
    const id = await post(member, topic);
    await resolve(id, `✔ ${topic}`);
    expect(await notices(open, resolved)).toEqual([`@_**Mia|${member.id}** marked this topic as resolved.`]);
    const { message } = granted(await member.get<{ message: Record<string, unknown> }>(`/messages/${id}`));
    expect(message).toMatchObject({ subject: resolved });
    expect(message).not.toHaveProperty('last_moved_timestamp');
  });

  it('is absent where the text changes in the same request', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    await resolve(id, `✔ ${topic}`, { content: 'done' });
    expect(await notices(open, `✔ ${topic}`)).toEqual([]);
  });

  it('is a move notice where the topic moves to another channel', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    await move(owner, id, { topic: `✔ ${topic}`, stream_id: next, propagate_mode: 'change_all' });
    expect(await notices(next, `✔ ${topic}`)).toHaveLength(1);
    expect((await notices(next, `✔ ${topic}`))[0]).toContain('moved this topic here');
  });
});

describe('policies for a topic', () => {
  const policies = async (who: Person) =>
    ((await who.register({ fetch_event_types: ['user_topic'] }))['user_topics'] as Record<string, unknown>[]).map(
      ({ stream_id, topic_name, visibility_policy }) => [stream_id, topic_name, visibility_policy],
    );
  const choose = (who: Person, topic: string, visibility_policy: number) =>
    who.post('/user_topics', { stream_id: open, topic, visibility_policy });

  it('move with the whole topic', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    const id = await post(member, topic);
    granted(await choose(owner, topic, 1));
    await move(owner, id, { topic: there, stream_id: next, propagate_mode: 'change_all' });
    expect(await policies(owner)).toContainEqual([next, there, 1]);
    expect(await policies(owner)).not.toContainEqual([open, topic, 1]);
  });

  it('stay with a remaining part', async () => {
    const [topic, there] = [newTopic(), newTopic()];
    const id = await post(member, topic);
    await post(member, topic);
    granted(await choose(owner, topic, 1));
    await move(owner, id, { topic: there });
    expect(await policies(owner)).toContainEqual([open, topic, 1]);
    expect(await policies(owner)).not.toContainEqual([open, there, 1]);
  });
});
