import type { Params, WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { messageSeen } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let late: Person;
let open: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.person({ name: 'Mia' });
  late = await server.person({ name: 'Otto' });
  open = await server.channel(owner, { name: 'open', subscribers: [owner, member, late] });
});
afterAll(() => server.close());

/** A private channel that shows people only what came to them; the owner and the member are in it. */
const protectedChannel = (params: Params = {}) =>
  server.namedChannel(owner, {
    invite_only: true,
    history_public_to_subscribers: false,
    subscribers: [owner, member],
    ...params,
  });
const closed = () => server.channel(owner, { invite_only: true, subscribers: [owner, member] });
const post = async (by: Person, to: number, content = 'hello') =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'plans', content })).id;
const edit = async (by: Person, id: number, params: Params) =>
  granted(await by.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params }));
const join = async (who: Person, name: string) => {
  const input = { subscriptions: [{ name }], principals: [who.id], send_new_subscription_messages: false };
  granted(await owner.post('/users/me/subscriptions', input));
};
const eventsOf = (who: Person, act: () => Promise<unknown>): Promise<readonly WireEvent[]> =>
  who.receive(act, {
    event_types: ['update_message', 'delete_message'],
    client_capabilities: { bulk_message_deletion: true, empty_topic_name: true },
  });

describe('a message that moves to a channel with protected history', () => {
  it('is read for users who had not received it, without the flag historical', async () => {
    const [{ id: to, name }, from] = [await protectedChannel(), await closed()];
    await join(late, name);
    const id = await post(owner, from, 'look, @**Otto**');
    await edit(owner, id, { stream_id: to });
    const flags = async (who: Person) => (await messageSeen(who, id)).flags;
    expect([await flags(late), await flags(member)]).toEqual([['read'], []]);
    granted(await late.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    const [changed] = await eventsOf(late, () => edit(owner, id, { content: 'see, @**Otto**' }));
    expect([changed?.['flags'], await flags(late)]).toEqual([['read'], ['read']]);
  });
});

describe('in a channel with protected history, a later subscriber', () => {
  /** One message from before they came, and one from after. */
  const twoMessages = async () => {
    const { id: to, name } = await protectedChannel();
    const before = await post(member, to, 'secret');
    await join(late, name);
    return { to, before, after: await post(member, to) };
  };
  const renamed = { content: 'other', topic: 'new plans', propagate_mode: 'change_all' };

  it('receives the rename of a topic, and no other changes of an earlier message', async () => {
    const { before, after } = await twoMessages();
    const events: Record<string, readonly WireEvent[]> = {};
    events['late'] = await eventsOf(late, async () => {
      events['owner'] = await eventsOf(owner, () => edit(member, before, renamed));
    });
    expect(events['owner']).toMatchObject([{ content: 'other', orig_content: 'secret', subject: 'new plans' }]);
    expect(events['late']).toMatchObject([{ message_ids: [before, after], subject: 'new plans', flags: ['read'] }]);
    for (const field of ['content', 'orig_content', 'rendered_content', 'orig_rendered_content', 'is_me_message']) {
      expect(events['late']?.[0]).not.toHaveProperty(field);
    }
  });

  it('receives no reaction to an earlier message, also after it moved', async () => {
    const { before, after } = await twoMessages();
    const elsewhere = await closed();
    const received = await late.receive(async () => {
      for (const id of [before, after]) granted(await owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
      await edit(owner, before, { stream_id: elsewhere });
    }, 'reaction');
    expect(received).toMatchObject([{ message_id: after }]);
  });

  it('receives nothing more when it is deleted by the time of the delivery', async () => {
    const { before } = await twoMessages();
    const events = await eventsOf(late, async () => {
      await edit(member, before, renamed);
      granted(await owner.delete(`/messages/${before}`));
    });
    expect(events).toHaveLength(1);
    expect(events[0]).not.toHaveProperty('content');
  });

  it('receives all changes of later messages', async () => {
    const { after } = await twoMessages();
    expect(await eventsOf(late, () => edit(member, after, renamed))).toMatchObject([{ content: 'other' }]);
  });

  it('receives no edit, also when the message has moved by the time of the delivery', async () => {
    const { before } = await twoMessages();
    const elsewhere = await closed();
    const act = async () => {
      await edit(member, before, { content: 'other' });
      await edit(owner, before, { stream_id: elsewhere });
    };
    expect(await eventsOf(late, act)).toEqual([]);
  });

  it('receives deletions only of received messages', async () => {
    const [{ before }, { before: first, after }] = [await twoMessages(), await twoMessages()];
    const elsewhere = await closed();
    expect(await eventsOf(late, () => edit(owner, before, { stream_id: elsewhere }))).toEqual([]);
    const all = { stream_id: elsewhere, propagate_mode: 'change_all' };
    const both = await eventsOf(late, () => edit(owner, first, all));
    expect(both).toMatchObject([{ type: 'delete_message', message_ids: [after], topic: 'plans' }]);
  });
});

it('a move of a topic shows a former absentee the received messages, and all to a permanent subscriber', async () => {
  const { id: to, name } = await protectedChannel({ subscribers: [owner, member, late] });
  const first = await post(member, to);
  granted(await late.delete('/users/me/subscriptions', { subscriptions: [name] }));
  const missed = await post(member, to);
  await join(late, name);
  const last = await post(member, to);
  const rename = (by: Person, id: number, topic: string) => () => edit(by, id, { topic, propagate_mode: 'change_all' });
  expect(await eventsOf(member, rename(late, last, 'one'))).toMatchObject([{ message_ids: [first, last] }]);
  expect(await eventsOf(member, rename(member, missed, 'one'))).toMatchObject([{ message_ids: [missed] }]);
  expect(await eventsOf(member, rename(member, last, 'two'))).toMatchObject([{ message_ids: [first, missed, last] }]);
});

describe('an edit in a channel with protected history', () => {
  it('does not deliver an earlier message by a mention', async () => {
    const { id: to, name } = await protectedChannel();
    const id = await post(owner, to, 'old secret');
    const called = await server.person({ name: 'Lea' });
    await join(called, name);
    expect(await eventsOf(called, () => edit(owner, id, { content: '@**Lea** see' }))).toEqual([]);
    expect(await called.get(`/messages/${id}`)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const state = await called.register({ fetch_event_types: ['message', 'update_message_flags'] });
    expect(state).toMatchObject({ unread_msgs: { count: 0, mentions: [] } });
  });
});

describe('a message that leaves a channel with protected history', () => {
  it('is no new message for readers of the target only, who can fetch it there', async () => {
    const { id: to } = await protectedChannel();
    const id = await post(owner, to);
    const events: Record<string, readonly WireEvent[]> = {};
    events['late'] = await eventsOf(late, async () => {
      events['member'] = await eventsOf(member, () => edit(owner, id, { stream_id: open, topic: 'opened' }));
    });
    expect(events['member']).toMatchObject([{ orig_subject: 'plans', subject: 'opened', new_stream_id: open }]);
    expect(events['late']).toEqual([]);
    expect((await late.get(`/messages/${id}`)).status).toBe(200);
  });

  it('is new for users mentioned before their subscription, subscribed or not', async () => {
    const can_subscribe_group = { direct_members: [late.id], direct_subgroups: [] };
    const { id: to, name } = await protectedChannel({ can_subscribe_group });
    const id = await post(member, to, '@**Otto**');
    const rename = (topic: string) => () => edit(owner, id, { topic, propagate_mode: 'change_all' });
    expect(await eventsOf(late, rename('one'))).toMatchObject([{ message_ids: [id], flags: ['read', 'mentioned'] }]);
    await join(late, name);
    expect(await eventsOf(late, rename('two'))).toMatchObject([{ message_ids: [id], flags: ['read', 'mentioned'] }]);
  });
});

it('a message is read after any move for users who did not receive it when it was sent', async () => {
  const [from, to] = [await server.channel(owner), await server.channel(owner, { subscribers: [owner, late] })];
  const id = await post(owner, from, '@**all**');
  expect(await eventsOf(late, () => edit(owner, id, { stream_id: to }))).toMatchObject([{ flags: ['read'] }]);
  const { message } = granted(await late.get<{ message: Record<string, unknown> }>(`/messages/${id}`));
  expect(message['flags']).toContain('read');
});
