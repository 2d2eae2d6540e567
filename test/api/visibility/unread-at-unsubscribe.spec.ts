import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let made = 0;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mo Member' });
});
afterAll(() => server.close());

interface Message {
  readonly id: number;
  readonly content: string;
  readonly flags: string[];
}

/** A channel of the owner's and the member's. */
async function channel(more: Params = {}) {
  const name = `channel ${++made}`;
  const id = await server.channel(owner, { name, subscribers: [owner, member], ...more });
  const subscriptions = { subscriptions: [name], principals: [member.id] };
  return {
    id,
    leave: async () => granted(await owner.delete('/users/me/subscriptions', subscriptions)),
    come: async () =>
      granted(await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [member.id] })),
    post: async (content: string, by = owner) =>
      granted(await by.post<{ id: number }>('/messages', { type: 'channel', to: id, topic: 'talk', content })).id,
    seen: async () => {
      const narrow = [{ operator: 'channel', operand: id }];
      const asked = { narrow, anchor: 'newest', num_before: 50, num_after: 0 };
      const { messages } = granted(await member.get<{ messages: Message[] }>('/messages', asked));
      return messages.map((message) => ({ id: message.id, flags: message.flags }));
    },
    unread: async () => {
      const { unread_msgs } = (await member.register({
        fetch_event_types: ['message', 'update_message_flags'],
      })) as unknown as {
        unread_msgs: { streams: { stream_id: number; unread_message_ids: number[] }[] };
      };
      return unread_msgs.streams.filter((one) => one.stream_id === id).flatMap((one) => one.unread_message_ids);
    },
  };
}

describe('an unread message in a channel that the user leaves', () => {
  it('is read, also after a return', async () => {
    const { leave, come, post, seen, unread } = await channel();
    const before = await post('before');
    expect(await unread()).toEqual([before]);
    expect(await seen()).toEqual([{ id: before, flags: [] }]);
    await leave();
    const away = await post('away');
    expect(await unread()).toEqual([]);
    const left = [
      { id: before, flags: ['read'] },
      { id: away, flags: ['read', 'historical'] },
    ];
    expect(await seen()).toEqual(left);
    await come();
    const after = await post('after');
    expect(await unread()).toEqual([after]);
    expect(await seen()).toEqual([...left, { id: after, flags: [] }]);
  });

  it('and so is a mention during the absence', async () => {
    const { leave, come, post, unread } = await channel();
    await leave();
    await post('@**Mo Member** look');
    expect(await unread()).toEqual([]);
    await come();
    expect(await unread()).toEqual([]);
  });
});

describe('a private channel with protected history', () => {
  it('shows messages received while subscribed, and nothing without a subscription', async () => {
    const { leave, come, post, seen } = await channel({ invite_only: true });
    const ids = async () => (await seen()).map(({ id }) => id);
    const first = await post('first');
    const own = await post('own', member);
    expect(await ids()).toEqual([first, own]);
    await leave();
    for (const id of [first, own, await post('hidden')]) {
      expect(await member.get(`/messages/${id}`)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    }
    expect(await member.patch(`/messages/${own}`, { content: 'changed' })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
    await come();
    const last = await post('last');
    expect(await ids()).toEqual([first, own, last]);
    expect((await member.patch(`/messages/${own}`, { content: 'changed' })).status).toBe(200);
  });
});

describe('an edit', () => {
  const received = (act: () => Promise<unknown>) => member.receive(act, 'update_message');
  const edit = (id: number) => async () => granted(await owner.patch(`/messages/${id}`, { content: `news ${++made}` }));

  it('is not sent to mentioned users after they left a private channel', async () => {
    for (const invite_only of [true, false]) {
      const { leave, come, post } = await channel({ invite_only });
      const called = await post('@**Mo Member** listen');
      expect(await received(edit(called))).toHaveLength(1);
      await leave();
      expect(await received(edit(called))).toHaveLength(invite_only ? 0 : 1);
      await come();
      expect(await received(edit(called))).toMatchObject([{ message_id: called, flags: ['read'] }]);
    }
  });

  it('of a message of the absence stays hidden where history is protected', async () => {
    const { leave, come, post } = await channel({ invite_only: true });
    const before = await post('before');
    await leave();
    const away = await post('away');
    await come();
    expect(await received(edit(away))).toEqual([]);
    expect(await received(edit(before))).toMatchObject([{ message_id: before, flags: ['read'] }]);
  });
});

describe('the unread messages of a former subscriber', () => {
  it('are sent as read, to the user only and without own messages', async () => {
    const [writer, leaver] = [server.owner, await server.person()];
    const id = await server.channel(writer, { name: 'left behind', subscribers: [writer, leaver] });
    const say = async (by: typeof writer) => {
      const message = { type: 'channel', to: id, topic: 'all', content: 'hello' };
      return granted(await by.post<{ id: number }>('/messages', message)).id;
    };
    const leave = () => leaver.delete('/users/me/subscriptions', { subscriptions: ['left behind'] });
    const return_ = () => leaver.post('/users/me/subscriptions', { subscriptions: [{ name: 'left behind' }] });
    const unread = [await say(writer), await say(writer)];
    await leaver.post(
      '/messages',
      { type: 'channel', to: id, topic: 'all', content: 'mine' },
      {
        headers: { 'user-agent': 'ZulipMobile' },
      },
    );
    let others: readonly unknown[] = [];
    const flags = 'update_message_flags';
    const events = await leaver.receive(async () => (others = await writer.receive(leave, flags)), flags);
    const event = { type: flags, op: 'add', operation: 'add', flag: 'read', messages: unread, all: false };
    expect(events.map(({ id: _, ...rest }) => rest)).toEqual([event]);
    expect(others).toEqual([]);
    granted(await return_());
    expect(await leaver.receive(leave, flags)).toEqual([]);
    granted(await return_());
    const later = await say(writer);
    expect(await leaver.receive(leave, flags)).toMatchObject([{ messages: [later] }]);
  });

  it('are sent once, by id, with mentions and moves in and out', async () => {
    const [here, there] = [await channel(), await channel()];
    const move = async (id: number, stream_id: number) => granted(await owner.patch(`/messages/${id}`, { stream_id }));
    const calling = await here.post('@**Mo Member**');
    const [brought, back, taken] = [await there.post('brought'), await here.post('back'), await here.post('taken')];
    await move(brought, here.id);
    await move(back, there.id);
    await move(back, here.id);
    const queue = await member.register({ fetch_event_types: [], event_types: ['update_message_flags'] });
    await here.leave();
    await move(taken, there.id);
    const notices = expect.any(Number) as number;
    const [events] = await member.events(queue);
    expect(events?.['messages']).toEqual([calling, brought, back, taken, notices, notices]);
    await here.come();
    expect(await member.receive(here.leave, 'update_message_flags')).toEqual([]);
  });
});

describe('an unread message that moves to a channel without a subscription', () => {
  const to = async (id: number, stream_id: number, more: Params = {}) =>
    granted(await owner.patch(`/messages/${id}`, { stream_id, send_notification_to_new_thread: false, ...more }));

  it.each([
    ['public', {}],
    ['private', { invite_only: true }],
  ])('is read from then on, after any move: %s', async (_, params) => {
    const [here, there] = [await channel(), await channel({ subscribers: [owner], ...params })];
    const [alone, along, stays] = [
      await here.post('alone'),
      await here.post('@**Mo Member**'),
      await here.post('stays'),
    ];
    const ended = await member.receive(async () => {
      await to(alone, there.id);
      await to(along, there.id, { topic: 'other' });
      await to(along, here.id, { topic: 'other', propagate_mode: 'change_all' });
    });
    const events = ended.filter(({ type }) => type === 'update_message');
    for (const event of events) expect(event['flags']).toContain('read');
    expect(await here.unread()).toEqual([stays]);
    await to(alone, here.id);
    expect(await here.unread()).toEqual([stays]);
    expect((await here.seen()).filter(({ flags }) => !flags.includes('read'))).toEqual([{ id: stays, flags: [] }]);
    const left = await member.receive(here.leave, 'update_message_flags');
    expect(left).toMatchObject([{ messages: [stays] }]);
  });

  it('stays read when the user subscribes to that channel', async () => {
    const [here, there] = [await channel(), await channel({ subscribers: [owner] })];
    const [brought, first] = [await here.post('brought'), await here.post('first')];
    await to(first, there.id, { topic: 'whole', propagate_mode: 'change_all' });
    await there.come();
    const then = await there.post('then');
    expect(await there.unread()).toEqual([then]);
    expect(await member.receive(there.leave, 'update_message_flags')).toMatchObject([{ messages: [then] }]);
    expect(await here.unread()).toEqual([]);
    expect(brought).toBeLessThan(first);
  });

  it('stays unread with subscriptions to both', async () => {
    const [here, there] = [await channel(), await channel()];
    const [first, second] = [await here.post('first'), await here.post('second')];
    await to(first, there.id, { propagate_mode: 'change_all' });
    expect(await there.unread()).toEqual([first, second]);
    await to(second, here.id);
    expect([await there.unread(), await here.unread()]).toEqual([[first], [second]]);
  });
});
