import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { makeGroup } from '../../support/requests/groups';
import { CAPABLE, eventsOf, move, newTopic } from '../../support/requests/moves';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let open: number;
let next: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  other = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member, other] });
  next = await server.channel(owner, { name: 'next', subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const seconds = () => Math.floor(server.clock.now() / 1000);
const post = async (by: Person, topic: string, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'hello', ...params }))
    .id;
const privately = (subscribers: Person[], params: Params = {}) =>
  server.channel(owner, { invite_only: true, subscribers, ...params });

describe('the client events of a move', () => {
  it('list all moved messages, and both names of the topic', async () => {
    const topic = newTopic();
    const [first, second] = [await post(member, topic), await post(other, topic)];
    const events = await eventsOf(other, () =>
      move(owner, second, { topic: `${topic} b`, propagate_mode: 'change_all' }),
    );
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
    const [event] = await eventsOf(other, () => move(owner, id, { stream_id: next, propagate_mode: 'change_all' }));
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
    const [event] = await eventsOf(other, () => move(owner, id, { stream_id: next, topic: 'there' }));
    expect(event).toMatchObject({ new_stream_id: next, orig_subject: topic, subject: 'there', topic_links: [] });
    expect(event).toMatchObject({ propagate_mode: 'change_one' });
  });

  it('are one event for a combined change of text and topic', async () => {
    const topic = newTopic();
    const [first, second] = [await post(member, topic), await post(member, topic)];
    const act = () => move(member, first, { topic: `${topic}!`, content: 'other', propagate_mode: 'change_later' });
    expect(await eventsOf(other, act)).toMatchObject([
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
    const capable = await eventsOf(other, () => move(owner, id, { topic: newTopic() }));
    expect(capable).toMatchObject([{ orig_subject: '' }]);
  });

  it('have the flags of the moved message', async () => {
    const id = await post(member, newTopic(), { content: '@**Otto**', read_by_sender: true });
    expect(await eventsOf(other, () => move(owner, id, { topic: newTopic() }))).toMatchObject([
      { flags: ['mentioned'] },
    ]);
    expect(await eventsOf(member, () => move(owner, id, { topic: newTopic() }))).toMatchObject([{ flags: ['read'] }]);
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
    expect(await eventsOf(guest, go(home))).toEqual([]);
    expect(await eventsOf(guest, go(shared), 'delete_message')).toHaveLength(1);
    expect(await eventsOf(other, go(away))).toEqual([]);
    expect(await eventsOf(other, go(home))).toHaveLength(1);
  });

  it('keep mentions through a group or a topic wildcard', async () => {
    await makeGroup(owner, { name: 'crew', members: [other.id] });
    const inGroup = await post(member, newTopic(), { content: '@*crew* look' });
    const byGroup = await eventsOf(other, () => move(owner, inGroup, { topic: newTopic() }));
    expect(byGroup).toMatchObject([{ flags: ['mentioned'] }]);
    const topic = newTopic();
    await post(other, topic);
    const toAll = await post(member, topic, { content: '@**topic** look' });
    const renamed = await eventsOf(other, () =>
      move(owner, toAll, { topic: newTopic(), propagate_mode: 'change_all' }),
    );
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
    expect(await eventsOf(other, () => move(owner, id, { topic: newTopic() }))).toEqual([]);
  });
});
