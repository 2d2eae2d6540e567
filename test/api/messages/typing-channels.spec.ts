import { Role } from '@annals/kernel/domain';
import type { ChannelId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { openQueue, eventsAfter } from '../../support/events/client-queues';
import { TYPING_CLIENT, clientsOf, personOf, type } from '../../support/requests/typing';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let bob: Person;
let eve: Person;
let guest: Person;
let open: ChannelId;
beforeAll(async () => {
  server = await startTestServer();
  [ann, bob, eve] = [await server.person({ name: 'Ann' }), await server.person(), await server.person()];
  guest = await server.person({ role: 'guest' });
  open = await server.channel(ann, { name: 'open', subscribers: [ann, bob] });
});
afterAll(() => server.close());

const inChannel = (more: Params = {}): Params => ({ type: 'channel', stream_id: open, topic: 'lunch', ...more });
const refused = (msg: string) => ({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });

describe('POST /typing in a channel', () => {
  const event = (more: Params = {}) => ({
    type: 'typing',
    op: 'start',
    message_type: 'stream',
    sender: personOf(ann),
    stream_id: open,
    topic: 'lunch',
    ...more,
  });

  it.each(['channel', 'stream', '"channel"'])('notifies supporting clients of subscribers (%s)', async (name) => {
    const clients = [...(await clientsOf(ann, bob, eve)), await openQueue(bob)];
    const events = await eventsAfter(clients, async () => granted(await type(ann, inChannel({ type: name }))));
    expect(events).toEqual([[event()], [event()], [], []]);
  });

  it.each(['', '(no topic)', 'general chat', ' general chat '])('accepts %j for the empty topic', async (topic) => {
    const old = await openQueue(bob, { client_capabilities: { stream_typing_notifications: true } });
    const events = await eventsAfter([...(await clientsOf(bob)), old], () =>
      type(ann, inChannel({ topic, op: 'stop' })),
    );
    expect(events).toEqual([[event({ topic: '', op: 'stop' })], [event({ topic: 'general chat', op: 'stop' })]]);
  });

  it('truncates a topic like for a message', async () => {
    const [his = []] = await eventsAfter(await clientsOf(bob), () =>
      type(ann, inChannel({ topic: ` ${'x'.repeat(61)} ` })),
    );
    expect(his).toEqual([event({ topic: `${'x'.repeat(57)}...` })]);
  });

  it('is not sent to clients that requested other events only', async () => {
    const other = await openQueue(bob, { ...TYPING_CLIENT, event_types: ['message', 'typing_edit_message'] });
    expect(await eventsAfter([other], () => type(ann, inChannel()))).toEqual([[]]);
  });

  it('is sent only to users who enabled it', async () => {
    granted(await bob.patch('/settings', { receives_typing_notifications: false }));
    expect(await eventsAfter(await clientsOf(ann, bob), () => type(ann, inChannel()))).toEqual([[event()], []]);
    granted(await bob.patch('/settings', { receives_typing_notifications: true }));
  });

  it('is refused to users who disabled sending it', async () => {
    granted(await ann.patch('/settings', { send_stream_typing_notifications: false }));
    expect(await type(ann, inChannel())).toMatchObject(
      refused('User has disabled typing notifications for channel messages'),
    );
    granted(await type(ann, { to: [bob.id] }));
    granted(await ann.patch('/settings', { send_stream_typing_notifications: true }));
  });

  it.each<[string, Params, string]>([
    ['no channel', { stream_id: undefined }, "Missing 'stream_id' argument"],
    ['no topic', { topic: undefined }, 'Missing topic'],
    ['a channel that is not there', { stream_id: 999_999 }, 'Invalid channel ID'],
    ['a channel of no possible id', { stream_id: -1 }, 'Invalid channel ID'],
  ])('refuses %s', async (_, params, msg) => {
    expect(await type(ann, inChannel(params))).toMatchObject(refused(msg));
  });

  it.each<Params>([{ stream_id: 'open' }, { stream_id: '[1]' }, { topic: 'a\u0000b' }, { topic: 'a\nb' }])(
    'refuses %j',
    async (params) => {
      expect(await type(ann, inChannel(params))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    },
  );

  it('requires access; an inaccessible channel is like an unknown one', async () => {
    const secret = await server.channel(ann, { subscribers: [ann, bob], invite_only: true });
    const there = inChannel({ stream_id: secret });
    for (const one of [eve, guest, server.owner]) {
      expect(await type(one, there)).toMatchObject(refused('Invalid channel ID'));
    }
    expect(await type(guest, inChannel())).toMatchObject(refused('Invalid channel ID'));
    const [annSees = [], eveSees] = await eventsAfter(await clientsOf(ann, eve), async () =>
      granted(await type(bob, there)),
    );
    expect(annSees).toMatchObject([{ stream_id: secret, sender: personOf(bob) }]);
    expect(eveSees).toEqual([]);
    granted(await type(eve, inChannel()));
  });

  it('is not sent to former subscribers', async () => {
    const channel = await server.channel(ann, { name: 'leavers', subscribers: [ann, bob, eve], invite_only: true });
    const clients = await clientsOf(bob, eve);
    granted(await server.owner.delete('/users/me/subscriptions', { subscriptions: ['leavers'], principals: [eve.id] }));
    const [his = [], hers = []] = await eventsAfter(clients, () => type(ann, inChannel({ stream_id: channel })));
    expect(his.filter((one) => one.type === 'typing')).toHaveLength(1);
    expect(hers.filter((one) => one.type === 'typing')).toEqual([]);
  });

  it('requires the permission to send', async () => {
    const groups = granted(await ann.get<{ user_groups: { id: number; name: string }[] }>('/user_groups')).user_groups;
    const moderators = groups.find(({ name }) => name === 'role:moderators')?.id;
    const quiet = await server.channel(ann, { subscribers: [ann, bob], can_send_message_group: moderators });
    expect(await type(bob, inChannel({ stream_id: quiet }))).toMatchObject(
      refused('You do not have permission to post in this channel.'),
    );
    granted(await server.owner.patch(`/users/${bob.id}`, { role: Role.moderator }));
    granted(await type(bob, inChannel({ stream_id: quiet })));
    granted(await server.owner.patch(`/users/${bob.id}`, { role: Role.member }));
  });

  it('is refused when the channel is archived', async () => {
    const old = await server.channel(ann, { subscribers: [ann, bob] });
    granted(await server.owner.delete(`/streams/${old}`));
    expect(await type(ann, inChannel({ stream_id: old }))).toMatchObject(refused('Invalid channel ID'));
  });
});
