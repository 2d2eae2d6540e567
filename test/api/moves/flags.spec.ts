import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { idOf, messageSeen, send } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mo Member' });
});
afterAll(() => server.close());

/** A channel of the owner's, and of others. */
async function channel(subscribers: readonly Person[], more: Params = {}) {
  const name = `channel ${server.next()}`;
  const id = await server.channel(owner, { name, subscribers: [owner, ...subscribers], ...more });
  return {
    id,
    post: (content = 'hello', topic = 'talk') => idOf(send(owner, { to: id, topic, content })),
    come: async (who: Person) =>
      granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.id] })),
    leave: async (who: Person) =>
      granted(await owner.delete('/users/me/subscriptions', { subscriptions: [name], principals: [who.id] })),
  };
}

const move = async (id: number, stream_id: number, more: Params = {}) => {
  const whole = { propagate_mode: 'change_all', send_notification_to_new_thread: false };
  granted(await owner.patch(`/messages/${id}`, { stream_id, ...whole, ...more }));
};

const TYPES = ['message', 'update_message', 'update_message_flags', 'delete_message'];
const REGISTRATION = { fetch_event_types: [], client_capabilities: { bulk_message_deletion: true } };
const eventsOf = (who: Person, act: () => Promise<unknown>, event_types: readonly string[] = TYPES) =>
  who.receive(act, { ...REGISTRATION, event_types });
/** A client that marks sent messages as read. */
const READING = { 'user-agent': 'ZulipMobile' };
const read = (...messages: number[]) => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: 'read',
  messages,
  all: false,
});
const withoutIds = (events: readonly WireEvent[]) => events.map(({ id: _, ...event }) => event);
const flagEventsOf = async (who: Person, act: () => Promise<unknown>) =>
  withoutIds(await eventsOf(who, act, ['update_message_flags']));

/** The initial state of a client of the member. */
async function begins() {
  const { unread_msgs } = (await member.register({
    fetch_event_types: ['message', 'update_message_flags'],
  })) as unknown as { unread_msgs: { streams: { unread_message_ids: number[] }[]; mentions: number[] } };
  const unread = unread_msgs.streams.flatMap((one) => one.unread_message_ids);
  return { unread, mentions: unread_msgs.mentions };
}

describe('an unread message that moves to a channel without a subscription', () => {
  it('is sent as read, after its move', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const [first, second] = [await here.post(), await here.post()];
    const events = await eventsOf(member, () => move(second, there.id));
    expect(events).toMatchObject([
      { type: 'update_message', message_id: second, message_ids: [first, second], flags: ['read'] },
      { type: 'update_message_flags' },
    ]);
    expect(withoutIds(events)[1]).toEqual(read(first, second));
    expect((await begins()).unread).toEqual([]);
  });

  it('is limited to the moved part of a topic', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const [first, second, third] = [await here.post(), await here.post(), await here.post()];
    expect(await flagEventsOf(member, () => move(second, there.id, { propagate_mode: 'change_one' }))).toEqual([
      read(second),
    ]);
    const [fourth, fifth] = [await here.post(), await here.post()];
    const later = { propagate_mode: 'change_later' };
    const received = await flagEventsOf(member, () => move(third, there.id, later));
    expect(received).toEqual([read(third, fourth, fifth)]);
    expect((await begins()).unread).toEqual([first]);
    await move(first, there.id);
  });

  it('is in one list, in any letter cases of its topic', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const ids = [await here.post('a', 'lunch'), await here.post('b', 'other'), await here.post('c', 'other')];
    await move(ids[1] as number, here.id, { topic: 'LUNCH' });
    const received = await flagEventsOf(member, () => move(ids[0] as number, there.id));
    expect(received).toHaveLength(1);
    expect([...(received[0]?.['messages'] as number[])].sort((a, b) => a - b)).toEqual(ids);
  });

  it('keeps its mention', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const calling = await here.post('@**Mo Member** look');
    expect(await begins()).toEqual({ unread: [calling], mentions: [calling] });
    const events = await eventsOf(member, () => move(calling, there.id));
    expect(events).toMatchObject([{ flags: ['read', 'mentioned'] }, read(calling)]);
    expect((await messageSeen(member, calling)).flags).toEqual(['read', 'mentioned']);
    expect(await begins()).toEqual({ unread: [], mentions: [] });
  });

  it('is sent once for a move there and back', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const [first, second] = [await here.post(), await here.post()];
    expect(await flagEventsOf(member, () => move(first, there.id))).toEqual([read(first, second)]);
    expect(await flagEventsOf(member, () => move(first, here.id))).toEqual([]);
    const third = await here.post();
    expect(await flagEventsOf(member, () => move(first, there.id))).toEqual([read(third)]);
    expect(await flagEventsOf(member, () => here.leave(member))).toEqual([]);
  });
});

describe('only unread messages are sent as read', () => {
  it('none for subscribers of both channels', async () => {
    const [here, there] = [await channel([member]), await channel([member])];
    const id = await here.post();
    expect(await eventsOf(member, () => move(id, there.id))).toMatchObject([{ type: 'update_message', flags: [] }]);
    expect((await begins()).unread).toEqual([id]);
    await there.leave(member);
  });

  it('without own messages and earlier ones', async () => {
    const [late, here, there] = [await server.person(), await channel([member]), await channel([])];
    const [first, own] = [await here.post(), await idOf(send(member, { to: here.id, topic: 'talk' }, READING))];
    await here.come(late);
    const last = await here.post();
    let others: readonly unknown[] = [];
    const received = await flagEventsOf(member, async () => {
      others = await flagEventsOf(late, () => move(last, there.id));
    });
    expect(received).toEqual([read(first, last)]);
    expect(others).toEqual([read(last)]);
    expect(own).toBeLessThan(last);
  });

  it('none for former subscribers, nor of messages before a return', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const first = await here.post();
    await here.leave(member);
    expect(await eventsOf(member, () => move(first, there.id))).toMatchObject([{ type: 'update_message' }]);
    await move(first, here.id);
    await here.come(member);
    const second = await here.post();
    expect(await flagEventsOf(member, () => move(first, there.id))).toEqual([read(second)]);
  });

  it('none for mentioned users without a subscription', async () => {
    const [here, there] = [await channel([]), await channel([])];
    const calling = await here.post('@**Mo Member** look');
    expect(await eventsOf(member, () => move(calling, there.id))).toMatchObject([{ type: 'update_message' }]);
    await here.come(member);
    await move(calling, here.id);
    expect(await flagEventsOf(member, () => move(calling, there.id))).toEqual([]);
  });

  it.each([
    ['a private channel with protected history', { invite_only: true }],
    ['a private channel with shared history', { invite_only: true, history_public_to_subscribers: true }],
  ])('none for users who lose access to %s', async (_, params) => {
    const [here, there] = [await channel([member]), await channel([], params)];
    const id = await here.post();
    expect(await eventsOf(member, () => move(id, there.id))).toMatchObject([
      { type: 'delete_message', message_ids: [id] },
    ]);
    expect((await begins()).unread).toEqual([]);
  });

  it('for readers of a private channel without a subscription, unless its history is protected', async () => {
    const mayJoin = { can_add_subscribers_group: { direct_members: [member.id], direct_subgroups: [] } };
    const shared = await channel([], { invite_only: true, history_public_to_subscribers: true, ...mayJoin });
    const kept = await channel([], { invite_only: true, ...mayJoin });
    const here = await channel([member]);
    const [first, second] = [await here.post('a', 'a'), await here.post('b', 'b')];
    const received = await eventsOf(member, () => move(first, shared.id));
    expect(received).toMatchObject([{ type: 'update_message' }, read(first)]);
    expect(await eventsOf(member, () => move(second, kept.id))).toMatchObject([{ type: 'delete_message' }]);
  });
});

describe('a client', () => {
  it('receives the requested events', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const id = await here.post();
    const flags = await member.register({ ...REGISTRATION, event_types: ['update_message_flags'] });
    const moves = await member.register({ ...REGISTRATION, event_types: ['update_message'] });
    const all = await member.register(REGISTRATION);
    await move(id, there.id);
    expect(withoutIds(await member.events(flags))).toEqual([read(id)]);
    expect(await member.events(moves)).toMatchObject([{ type: 'update_message' }]);
    expect((await member.events(all)).slice(0, 2)).toMatchObject([{ type: 'update_message' }, read(id)]);
  });

  it('with a late delivery receives the read messages of that position', async () => {
    const [both, here, there] = [await server.person(), await channel([member]), await channel([])];
    const [first, second, third] = [await here.post(), await here.post(), await here.post()];
    await here.come(both);
    await there.come(both);
    const fourth = await here.post();
    const input = { ...REGISTRATION, event_types: ['update_message_flags'] };
    const [asked, other] = [await member.register(input), await both.register(input)];
    await move(first, there.id);
    await here.leave(member);
    await there.come(member);
    await there.leave(both);
    granted(await owner.delete(`/messages/${second}`));
    await move(third, here.id, { propagate_mode: 'change_one', topic: 'elsewhere' });
    await here.leave(both);
    expect(withoutIds(await member.events(asked))).toEqual([read(first, second, third, fourth)]);
    expect(withoutIds(await both.events(other))).toEqual([read(fourth)]);
  });

  it('receives messages that were deleted since, also with their topic', async () => {
    const [here, there] = [await channel([member]), await channel([])];
    const [alone, topic] = [await here.post('a', 'one'), await here.post('b', 'two')];
    const queue = await member.register({ ...REGISTRATION, event_types: ['update_message_flags'] });
    await move(alone, there.id, { propagate_mode: 'change_one' });
    await move(topic, there.id);
    for (const id of [alone, topic]) granted(await owner.delete(`/messages/${id}`));
    expect(withoutIds(await member.events(queue))).toEqual([read(alone, topic)]);
  });
});
