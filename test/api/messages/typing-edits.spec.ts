import type { ChannelId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { openQueue, eventsAfter } from '../../support/events/client-queues';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let bob: Person;
let eve: Person;
let open: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  [ann, bob, eve] = [await server.person({ name: 'Ann' }), await server.person(), await server.person()];
  open = await server.channel(ann, { subscribers: [ann, bob] });
});
afterAll(() => server.close());

const NEW = {
  event_types: ['typing', 'typing_edit_message'],
  client_capabilities: { stream_typing_notifications: true, empty_topic_name: true },
};
const send = async (by: Person, params: Params = {}) =>
  granted(
    await by.post<{ id: number }>('/messages', { type: 'channel', to: open, topic: 'lunch', content: 'x', ...params }),
  ).id;
const edits = (by: Person, id: number, op = 'start') => by.post(`/messages/${id}/typing`, { op });
const refused = (msg: string) => ({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });
const clientsOf = (...people: Person[]) => Promise.all(people.map((person) => openQueue(person, NEW)));
const event = (id: number, more: Params = {}) => ({
  type: 'typing_edit_message',
  op: 'start',
  sender_id: ann.id,
  message_id: id,
  recipient: { type: 'channel', channel_id: open, topic: 'lunch' },
  ...more,
});
const heads = () => server.kernel.events.heads();

describe('POST /messages/{message_id}/typing', () => {
  it('notifies supporting clients of subscribers of start and stop, and stores nothing', async () => {
    const id = await send(ann);
    const clients = [...(await clientsOf(ann, bob, eve)), await openQueue(bob, { event_types: NEW.event_types })];
    const before = await heads();
    const events = await eventsAfter(clients, async () => {
      expect(granted(await edits(ann, id))).toEqual({ result: 'success', msg: '' });
      granted(await edits(ann, id, 'stop'));
    });
    const both = [event(id), event(id, { op: 'stop' })];
    expect(events).toEqual([both, both, [], []]);
    expect(await heads()).toEqual(before);
  });

  it('is sent before later events of the message', async () => {
    const [kept, deleted] = [await send(ann), await send(ann)];
    const types = [...NEW.event_types, 'update_message', 'delete_message'];
    const events = await eventsAfter([await openQueue(bob, { ...NEW, event_types: types })], async () => {
      granted(await edits(ann, kept));
      granted(await ann.patch(`/messages/${kept}`, { content: 'edited' }));
      granted(await edits(ann, kept, 'stop'));
      granted(await edits(ann, deleted));
      granted(await server.owner.delete(`/messages/${deleted}`));
    });
    expect(events.map((his) => his.map((one) => [one.type, one['op']]))).toEqual([
      [
        ['typing_edit_message', 'start'],
        ['update_message', undefined],
        ['typing_edit_message', 'stop'],
        ['typing_edit_message', 'start'],
        ['delete_message', undefined],
      ],
    ]);
  });

  it('names the empty topic as each client supports it', async () => {
    const id = await send(ann, { topic: '' });
    const old = await openQueue(bob, { ...NEW, client_capabilities: { stream_typing_notifications: true } });
    const place = (topic: string) => ({ recipient: { type: 'channel', channel_id: open, topic } });
    expect(await eventsAfter([...(await clientsOf(bob)), old], () => edits(ann, id))).toEqual([
      [event(id, place(''))],
      [event(id, place('general chat'))],
    ]);
  });

  it('notifies all participants of a conversation, with old clients', async () => {
    const id = await send(ann, { type: 'direct', to: [bob.id], topic: undefined });
    const clients = [...(await clientsOf(ann, eve)), await openQueue(bob, { event_types: NEW.event_types })];
    const expected = event(id, { recipient: { type: 'direct', user_ids: [ann.id, bob.id] } });
    expect(await eventsAfter(clients, () => edits(ann, id))).toEqual([[expected], [], [expected]]);
  });

  it('is sent only to users who enabled it', async () => {
    const id = await send(ann);
    granted(await bob.patch('/settings', { receives_typing_notifications: false }));
    expect(await eventsAfter(await clientsOf(ann, bob), () => edits(ann, id))).toEqual([[event(id)], []]);
    granted(await bob.patch('/settings', { receives_typing_notifications: true }));
  });

  it('is sent only to users who can read the message', async () => {
    const closed = { invite_only: true, history_public_to_subscribers: false };
    const secret = await server.channel(ann, { name: 'secret', subscribers: [ann, bob], ...closed });
    const id = await send(ann, { to: secret });
    granted(await ann.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [eve.id] }));
    const place = { recipient: { type: 'channel', channel_id: secret, topic: 'lunch' } };
    const clients = await clientsOf(ann, bob, eve);
    expect(await eventsAfter(clients, () => edits(ann, id))).toEqual([[event(id, place)], [event(id, place)], []]);
    const later = await send(ann, { to: secret });
    expect(await eventsAfter(await clientsOf(eve), () => edits(ann, later))).toEqual([[event(later, place)]]);
  });

  it('is refused to users who disabled sending it', async () => {
    const [inChannel, direct] = [await send(ann), await send(ann, { type: 'direct', to: [bob.id], topic: undefined })];
    granted(await ann.patch('/settings', { send_stream_typing_notifications: false }));
    expect(await edits(ann, inChannel)).toMatchObject(
      refused('User has disabled typing notifications for channel messages'),
    );
    granted(await edits(ann, direct));
    const other = { send_stream_typing_notifications: true, send_private_typing_notifications: false };
    granted(await ann.patch('/settings', other));
    expect(await edits(ann, direct)).toMatchObject(
      refused('User has disabled typing notifications for direct messages'),
    );
    granted(await edits(ann, inChannel));
    granted(await ann.patch('/settings', { send_private_typing_notifications: true }));
  });

  it('is allowed to the sender only, not even to administrators', async () => {
    const id = await send(ann);
    const before = await clientsOf(ann, bob);
    const events = await eventsAfter(before, async () => {
      for (const one of [bob, server.owner]) {
        expect(await edits(one, id)).toMatchObject(refused("You don't have permission to edit this message"));
      }
    });
    expect(events).toEqual([[], []]);
  });

  it('requires a message that can be edited now, to the second', async () => {
    const id = await send(ann);
    server.clock.advance(600_000);
    granted(await edits(ann, id));
    server.clock.advance(1);
    expect(await edits(ann, id)).toMatchObject(refused('The time limit for editing this message has passed'));
    granted(await ann.patch(`/messages/${id}`, { content: 'within the grace of an edit' }));
    granted(await server.owner.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' }));
    granted(await edits(ann, id));
    granted(await server.owner.patch('/realm', { allow_message_editing: false }));
    expect(await edits(ann, id)).toMatchObject(refused('Your organization has turned off message editing'));
    granted(await server.owner.patch('/realm', { allow_message_editing: true }));
  });

  it('gives the same answer for inaccessible and unknown messages', async () => {
    const secret = await server.channel(ann, { subscribers: [ann], invite_only: true });
    const [hidden, direct] = [
      await send(ann, { to: secret }),
      await send(ann, { type: 'direct', to: [bob.id], topic: undefined }),
    ];
    for (const id of [hidden, direct, 999_999, 0]) {
      expect(await edits(eve, id)).toMatchObject(refused('Invalid message(s)'));
    }
    const old = await server.channel(ann, { subscribers: [ann] });
    const archived = await send(ann, { to: old });
    granted(await server.owner.delete(`/streams/${old}`));
    expect(await edits(ann, archived)).toMatchObject(refused('Invalid message(s)'));
  });

  it('requires the operation and a login', async () => {
    const id = await send(ann);
    expect(await edits(ann, id, 'begin')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await ann.post(`/messages/${id}/typing`)).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'op' },
    });
    expect((await ann.post('/messages/x/typing', { op: 'start' })).status).toBe(404);
    expect((await server.anonymous.post(`/messages/${id}/typing`, { op: 'start' })).status).toBe(401);
  });
});
