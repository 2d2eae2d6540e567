import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
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

const post = async (by: Person, topic: string, params: Params = {}) =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic, content: 'hello', ...params }))
    .id;
const privately = (subscribers: Person[], params: Params = {}) =>
  server.channel(owner, { invite_only: true, subscribers, ...params });

describe('a move to another channel', () => {
  const both = ['update_message', 'delete_message'];
  const moves = (id: number, to: number) => () => move(owner, id, { stream_id: to, propagate_mode: 'change_all' });

  it('deletes the messages for users who cannot read them there', async () => {
    const topic = newTopic();
    const own = await privately([owner, member]);
    const [first, second] = [await post(member, topic), await post(other, topic)];
    const received: Record<string, readonly WireEvent[]> = {};
    received['other'] = await eventsOf(
      other,
      async () => {
        received['member'] = await eventsOf(member, moves(first, own), ...both);
      },
      ...both,
    );
    expect(received['member']).toMatchObject([{ type: 'update_message', new_stream_id: own }]);
    expect(received['other']).toEqual([
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
    const received: Record<string, readonly WireEvent[]> = {};
    received['other'] = await eventsOf(
      other,
      async () => {
        received['member'] = await eventsOf(member, moves(id, next), ...both);
      },
      ...both,
    );
    expect(received['member']).toMatchObject([{ message_ids: [id], stream_id: own, new_stream_id: next }]);
    expect(received['member']?.[0]).toHaveProperty('stream_name', expect.any(String));
    expect(received['other']).toEqual([]);
    expect((await other.get(`/messages/${id}`)).status).toBe(200);
  });

  it('out of a private channel is no new message for users who received it before', async () => {
    const own = await privately([owner]);
    const id = await post(other, newTopic(), { content: '@**Mia**' });
    await moves(id, own)();
    await move(owner, id, { topic: 'secret plans', propagate_mode: 'change_all' });
    expect(
      await eventsOf(
        other,
        () => eventsOf(member, moves(id, next), ...both).then((received) => expect(received).toEqual([])),
        ...both,
      ),
    ).toEqual([]);
  });

  it('is no new message for guests who can only see the target', async () => {
    const guest = await server.person({ role: 'guest' });
    const there = await server.channel(owner, { subscribers: [owner, guest] });
    const id = await post(member, newTopic());
    expect(await eventsOf(guest, moves(id, there), ...both)).toEqual([]);
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
    expect(await eventsOf(member, moves(id, own))).toMatchObject([{ new_stream_id: own }]);
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
    expect(await eventsOf(late, rename)).toHaveLength(1);
    expect(await eventsOf(later, rename)).toEqual([]);
  });
});
