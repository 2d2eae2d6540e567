import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { makeGroup } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let open: number;
let next: number;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  other = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
  next = await server.channel(owner, { name: 'next', subscribers: [owner, member, other] });
});
afterAll(() => server.close());

let count = 0;
const newTopic = () => `topic ${++count}`;
const seconds = () => Math.floor(server.clock.now() / 1000);
const post = async (by: Person, topic: string, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'hello', ...params }))
    .id;
const move = async (by: Person, id: number, params: Params) =>
  granted(await by.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params }));
const CAPABLE = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };
const hears = (who: Person, act: () => Promise<unknown>, ...types: string[]) =>
  who.receive(act, { ...CAPABLE, event_types: types.length > 0 ? types : ['update_message'] });
const privately = (subscribers: Person[], params: Params = {}) =>
  server.channel(owner, { invite_only: true, subscribers, ...params });

describe('the client events of a move', () => {
  it('list all moved messages, and both names of the topic', async () => {
    const topic = newTopic();
    const [first, second] = [await post(member, topic), await post(other, topic)];
    const events = await hears(other, () => move(owner, second, { topic: `${topic} b`, propagate_mode: 'change_all' }));
    expect(events).toEqual([
      {
        id: expect.any(Number) as number,
        type: 'update_message',
        user_id: owner.id,
        rendering_only: false,
        message_id: second,
        message_ids: [first, second],
        edit_timestamp: seconds(),
        flags: [],
        stream_id: open,
        stream_name: 'open',
        propagate_mode: 'change_all',
        orig_subject: topic,
        subject: `${topic} b`,
        topic_links: [],
      },
    ]);
  });

  it('have only the new channel of a topic that keeps its name', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    const [event] = await hears(other, () => move(owner, id, { stream_id: next, propagate_mode: 'change_all' }));
    expect(event).toMatchObject({
      message_ids: [id],
      stream_id: open,
      stream_name: 'open',
      new_stream_id: next,
      orig_subject: topic,
      propagate_mode: 'change_all',
    });
    for (const field of ['subject', 'topic_links', 'content', 'is_me_message']) expect(event).not.toHaveProperty(field);
  });

  it('have both when a topic moves to another channel under another name', async () => {
    const topic = newTopic();
    const id = await post(member, topic);
    const [event] = await hears(other, () => move(owner, id, { stream_id: next, topic: 'there' }));
    expect(event).toMatchObject({ new_stream_id: next, orig_subject: topic, subject: 'there', topic_links: [] });
    expect(event).toMatchObject({ propagate_mode: 'change_one' });
  });

  it('are one event for a combined change of text and topic', async () => {
    const topic = newTopic();
    const [first, second] = [await post(member, topic), await post(member, topic)];
    const act = () => move(member, first, { topic: `${topic}!`, content: 'other', propagate_mode: 'change_later' });
    expect(await hears(other, act)).toMatchObject([
      {
        message_id: first,
        message_ids: [first, second],
        orig_content: 'hello',
        content: 'other',
        rendered_content: '<p>other</p>',
        is_me_message: false,
        orig_subject: topic,
        subject: `${topic}!`,
      },
    ]);
  });

  it('have the names of each position in a late delivery', async () => {
    const topic = newTopic();
    const queue = await other.register({ ...CAPABLE, event_types: ['message', 'update_message'] });
    const [first, second] = [await post(member, topic), await post(member, topic)];
    await move(owner, first, { topic: `${topic} 1`, propagate_mode: 'change_all' });
    await move(owner, second, { topic: `${topic} 2` });
    await move(owner, first, { stream_id: next });
    const [one, two, ...moves] = await other.events(queue);
    expect([one, two]).toMatchObject([
      { message: { id: first, subject: topic, stream_id: open, display_recipient: 'open' } },
      { message: { id: second, subject: topic, stream_id: open } },
    ]);
    expect(moves).toMatchObject([
      { message_ids: [first, second], orig_subject: topic, subject: `${topic} 1` },
      { message_ids: [second], orig_subject: `${topic} 1`, subject: `${topic} 2` },
      { message_ids: [first], orig_subject: `${topic} 1`, stream_id: open, new_stream_id: next },
    ]);
  });

  it('name the empty topic for clients without support', async () => {
    const id = await post(member, newTopic());
    const plain = await other.receive(() => move(owner, id, { topic: '' }), 'update_message');
    expect(plain).toMatchObject([{ subject: 'general chat' }]);
    const capable = await hears(other, () => move(owner, id, { topic: newTopic() }));
    expect(capable).toMatchObject([{ orig_subject: '' }]);
  });

  it('have the flags of the moved message', async () => {
    const id = await post(member, newTopic(), { content: '@**Otto**', read_by_sender: true });
    expect(await hears(other, () => move(owner, id, { topic: newTopic() }))).toMatchObject([{ flags: ['mentioned'] }]);
    expect(await hears(member, () => move(owner, id, { topic: newTopic() }))).toMatchObject([{ flags: ['read'] }]);
  });

  it('exclude users who lost the message by an earlier move', async () => {
    const guest = await server.person({ role: 'guest' });
    const home = await server.channel(owner, { subscribers: [owner, other, guest] });
    const shared = await privately([owner], { history_public_to_subscribers: true });
    const [hidden, away] = [await server.channel(owner), await server.channel(owner)];
    const id = await post(owner, newTopic(), { to: home });
    const go = (stream_id: number) => () =>
      move(owner, id, { stream_id, topic: newTopic(), propagate_mode: 'change_all' });
    await go(hidden)();
    expect(await hears(guest, go(home))).toEqual([]);
    expect(await hears(guest, go(shared), 'delete_message')).toHaveLength(1);
    expect(await hears(other, go(away))).toEqual([]);
    expect(await hears(other, go(home))).toHaveLength(1);
  });

  it('keep mentions through a group or a topic wildcard', async () => {
    await makeGroup(owner, { name: 'crew', members: [other.id] });
    const inGroup = await post(member, newTopic(), { content: '@*crew* look' });
    const byGroup = await hears(other, () => move(owner, inGroup, { topic: newTopic() }));
    expect(byGroup).toMatchObject([{ flags: ['mentioned'] }]);
    const topic = newTopic();
    await post(other, topic);
    const toAll = await post(member, topic, { content: '@**topic** look' });
    const renamed = await hears(other, () => move(owner, toAll, { topic: newTopic(), propagate_mode: 'change_all' }));
    expect(renamed).toMatchObject([{ flags: ['topic_wildcard_mentioned', 'wildcard_mentioned'] }]);
  });

  it('have the mentions of the text of that position in a late delivery', async () => {
    const queue = await other.register({ ...CAPABLE, event_types: ['update_message'] });
    const [gains, loses] = [await post(member, newTopic()), await post(member, newTopic(), { content: '@**Otto**' })];
    for (const id of [gains, loses]) await move(owner, id, { topic: newTopic() });
    await move(member, gains, { content: '@**Otto** you' });
    await move(member, loses, { content: 'nobody' });
    const flags = (await other.events(queue)).map(({ message_id, ...event }) => [message_id, event['flags']]);
    expect(flags).toEqual([
      [gains, []],
      [loses, ['mentioned']],
      [gains, ['mentioned']],
      [loses, []],
    ]);
  });

  it('have the move of a deleted message, without its text', async () => {
    const queue = await other.register({ ...CAPABLE, event_types: ['update_message', 'delete_message'] });
    const topic = newTopic();
    const id = await post(member, topic);
    await move(member, id, { topic: `${topic}!`, content: 'a secret' });
    granted(await owner.delete(`/messages/${id}`));
    const [moved, deleted] = await other.events(queue);
    expect(moved).toMatchObject({ message_ids: [id], orig_subject: topic, subject: `${topic}!`, flags: ['read'] });
    for (const field of ['content', 'orig_content', 'rendered_content', 'orig_rendered_content'])
      expect(moved).not.toHaveProperty(field);
    expect(deleted).toMatchObject({ type: 'delete_message', message_ids: [id] });
  });

  it('are absent for users who cannot read the channel', async () => {
    const own = await privately([owner, member]);
    const id = await post(member, newTopic(), { to: own });
    expect(await hears(other, () => move(owner, id, { topic: newTopic() }))).toEqual([]);
  });
});

describe('a move to another channel', () => {
  const both = ['update_message', 'delete_message'];
  const moves = (id: number, to: number) => () => move(owner, id, { stream_id: to, propagate_mode: 'change_all' });

  it('deletes the messages for users who cannot read them there', async () => {
    const topic = newTopic();
    const own = await privately([owner, member]);
    const [first, second] = [await post(member, topic), await post(other, topic)];
    const heard: Record<string, readonly WireEvent[]> = {};
    heard['other'] = await hears(
      other,
      async () => {
        heard['member'] = await hears(member, moves(first, own), ...both);
      },
      ...both,
    );
    expect(heard['member']).toMatchObject([{ type: 'update_message', new_stream_id: own }]);
    expect(heard['other']).toEqual([
      {
        id: expect.any(Number) as number,
        type: 'delete_message',
        message_type: 'stream',
        message_ids: [first, second],
        stream_id: open,
        topic,
      },
    ]);
  });

  it('out of a private channel is a new message for readers of the target, without its past', async () => {
    const own = await privately([owner, member], { history_public_to_subscribers: true });
    const id = await post(owner, newTopic(), { to: own });
    const heard: Record<string, readonly WireEvent[]> = {};
    heard['other'] = await hears(
      other,
      async () => {
        heard['member'] = await hears(member, moves(id, next), ...both);
      },
      ...both,
    );
    expect(heard['member']).toMatchObject([{ message_ids: [id], stream_id: own, new_stream_id: next }]);
    expect(heard['member']?.[0]).toHaveProperty('stream_name', expect.any(String));
    expect(heard['other']).toEqual([]);
    expect((await other.get(`/messages/${id}`)).status).toBe(200);
  });

  it('out of a private channel is no new message for users who received it before', async () => {
    const own = await privately([owner]);
    const id = await post(other, newTopic(), { content: '@**Mia**' });
    await moves(id, own)();
    await move(owner, id, { topic: 'secret plans', propagate_mode: 'change_all' });
    expect(
      await hears(
        other,
        () => hears(member, moves(id, next), ...both).then((heard) => expect(heard).toEqual([])),
        ...both,
      ),
    ).toEqual([]);
  });

  it('is no new message for guests who can only see the target', async () => {
    const guest = await server.person({ role: 'guest' });
    const there = await server.channel(owner, { subscribers: [owner, guest] });
    const id = await post(member, newTopic());
    expect(await hears(guest, moves(id, there), ...both)).toEqual([]);
  });

  it('sends the original message, then its deletion, in a late delivery to users without access to the target', async () => {
    const topic = newTopic();
    const own = await privately([owner]);
    const queue = await other.register({ ...CAPABLE, event_types: ['message', ...both] });
    const id = await post(member, topic);
    await moves(id, own)();
    expect(await other.events(queue)).toMatchObject([
      { type: 'message', message: { id, stream_id: open, display_recipient: 'open', subject: topic } },
      { type: 'delete_message', message_ids: [id], stream_id: open, topic },
    ]);
  });

  it('shows moved messages in a channel with protected history to its subscribers of that time', async () => {
    const own = await privately([owner, member], { history_public_to_subscribers: false });
    const id = await post(other, newTopic());
    expect(await hears(member, moves(id, own))).toMatchObject([{ new_stream_id: own }]);
    expect((await member.get(`/messages/${id}`)).status).toBe(200);
    expect((await other.get(`/messages/${id}`)).status).toBe(400);
  });
});

describe('a rename in a channel with protected history', () => {
  it('is sent only to users who received any of the messages', async () => {
    const own = await privately([owner, member], { history_public_to_subscribers: false, name: 'kept' });
    const topic = newTopic();
    const first = await post(member, topic, { to: own });
    const [late, later] = [await server.person(), await server.person()];
    const join = (who: Person) =>
      owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'kept' }],
        principals: [who.id],
        send_new_subscription_messages: false,
      });
    granted(await join(late));
    await post(member, topic, { to: own });
    granted(await join(later));
    const rename = () => move(owner, first, { topic: newTopic(), propagate_mode: 'change_all' });
    expect(await hears(late, rename)).toHaveLength(1);
    expect(await hears(later, rename)).toEqual([]);
  });
});
