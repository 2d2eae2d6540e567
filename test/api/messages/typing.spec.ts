import { crowd } from '../../../libs/users/src/spec-support/crowd';
import { Role } from '@annals/kernel/domain';
import type { ChannelId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { openQueue, eventsAfter } from '../../support/events/client-queues';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startServer } from '../../support/server/server';

let server: TestServer;
let ann: Person;
let bob: Person;
let eve: Person;
let guest: Person;
let open: ChannelId;
beforeAll(async () => {
  server = await startServer();
  [ann, bob, eve] = [await server.person({ name: 'Ann' }), await server.person(), await server.person()];
  guest = await server.person({ role: 'guest' });
  open = await server.channel(ann, { name: 'open', subscribers: [ann, bob] });
});
afterAll(() => server.close());

const NEW = { client_capabilities: { stream_typing_notifications: true, empty_topic_name: true } };
const type = (by: Person, params: Params) => by.post('/typing', { op: 'start', ...params });
const inChannel = (more: Params = {}): Params => ({ type: 'channel', stream_id: open, topic: 'lunch', ...more });
const refused = (msg: string) => ({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });
const head = async () => (await server.kernel.events.heads()).get(1 as never);
const personOf = ({ id, email }: Person) => ({ user_id: id, email });
/** The clients of people who know of typing in channels. */
const clientsOf = (...people: Person[]) => Promise.all(people.map((person) => openQueue(person, NEW)));

describe('POST /typing to people', () => {
  const event = (op: string, sender: Person, ...people: Person[]) => ({
    type: 'typing',
    op,
    message_type: 'direct',
    sender: personOf(sender),
    recipients: people.map(personOf),
  });

  it.each<[string, () => Params]>([
    ['a list of ids', () => ({ to: [bob.id] })],
    ['one id', () => ({ to: bob.id })],
    ['their own id too, in any order, more than once', () => ({ to: [bob.id, ann.id, bob.id] })],
    ['the type by name', () => ({ type: 'direct', to: [bob.id] })],
    ['the older name of the type', () => ({ type: 'private', to: [bob.id], topic: 'x' })],
  ])('tells everybody in the conversation, and nobody else, by %s', async (_, params) => {
    const clients = await clientsOf(ann, bob, eve);
    const expected = event('start', ann, ann, bob);
    expect(
      await eventsAfter(clients, async () =>
        expect(granted(await type(ann, params()))).toEqual({ result: 'success', msg: '' }),
      ),
    ).toEqual([[expected], [expected], []]);
  });

  it('sends the stop in a group conversation, to old clients too', async () => {
    const [old, ...clients] = [await openQueue(eve), ...(await clientsOf(ann, bob))];
    const expected = event('stop', bob, ann, bob, eve);
    const events = await eventsAfter([old, ...clients], () => type(bob, { op: 'stop', to: [eve.id, ann.id] }));
    expect(events).toEqual([[expected], [expected], [expected]]);
  });

  it('is sent to oneself in the own conversation', async () => {
    const [mine = []] = await eventsAfter(await clientsOf(ann), () => type(ann, { to: [ann.id] }));
    expect(mine).toEqual([event('start', ann, ann)]);
  });

  it('lists deactivated participants, and notifies the others', async () => {
    const gone = await server.person();
    granted(await server.owner.delete(`/users/${gone.id}`));
    const [hers = []] = await eventsAfter(await clientsOf(bob), async () =>
      granted(await type(ann, { to: [bob.id, gone.id] })),
    );
    expect(hers).toEqual([event('start', ann, ann, bob, gone)]);
  });

  it('is allowed to guests and bots', async () => {
    const bot = await server.bot(ann);
    for (const one of [guest, bot]) {
      const [hers = []] = await eventsAfter(await clientsOf(bob), async () =>
        granted(await type(one, { to: [bob.id] })),
      );
      expect(hers).toMatchObject([{ op: 'start', sender: personOf(one) }]);
    }
  });

  it('is sent only to users who enabled it', async () => {
    const receives = (one: Person, value: boolean) => one.patch('/settings', { receives_typing_notifications: value });
    granted(await receives(bob, false));
    const clients = await clientsOf(ann, bob);
    expect(await eventsAfter(clients, () => type(ann, { to: [bob.id] }))).toEqual([
      [event('start', ann, ann, bob)],
      [],
    ]);
    granted(await receives(bob, true));
    expect((await eventsAfter(await clientsOf(bob), () => type(ann, { to: [bob.id] })))[0]).toHaveLength(1);
  });

  it.each<[string, () => Params, string]>([
    ['nobody named', () => ({}), "Missing 'to' argument"],
    ['an empty list', () => ({ to: [] }), "Empty 'to' list"],
    ['somebody unknown', () => ({ to: [bob.id, 999_999] }), 'Invalid recipient: no such user'],
    ['an id below zero', () => ({ to: -1 }), 'Invalid recipient: no such user'],
    ['addresses', () => ({ to: ['bob@example.com'] }), 'Invalid to: has a value of another kind than allowed'],
  ])('refuses %s', async (_, params, msg) => {
    expect(await type(ann, params())).toMatchObject(refused(msg));
  });

  it.each<Params>([
    { op: 'begin', to: [1] },
    { type: 'huddle', to: [1] },
    { to: '[1.5]' },
    { to: 'bob' },
    { to: '[1' },
    { to: '' },
    { to: '99999999999999999999' },
    { to: { id: 1 } },
    { to: [[1]] },
  ])('refuses %j', async (params) => {
    expect(await type(ann, params)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  it('requires the operation and a login', async () => {
    expect(await ann.post('/typing', { to: [bob.id] })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'op' },
    });
    expect((await server.stranger.post('/typing', { op: 'start', to: [1] })).status).toBe(401);
  });

  it('is refused to users who disabled sending it', async () => {
    granted(await ann.patch('/settings', { send_private_typing_notifications: false }));
    const clients = await clientsOf(bob);
    const events = await eventsAfter(clients, async () => {
      const answer = await type(ann, { to: [bob.id] });
      expect(answer).toMatchObject(refused('User has disabled typing notifications for direct messages'));
      granted(await type(ann, inChannel()));
    });
    expect(events).toMatchObject([[{ message_type: 'stream' }]]);
    granted(await ann.patch('/settings', { send_private_typing_notifications: true }));
  });

  it('is sent in conversations of up to 250 users, and in channels of up to a hundred', async () => {
    const many = await crowd(server.kernel, 249);
    const clients = await clientsOf(bob);
    const [his = []] = await eventsAfter(clients, async () => {
      granted(await type(ann, { to: [bob.id, eve.id, ...many] }));
      granted(await type(ann, { to: [bob.id, ...many.slice(1)] }));
    });
    expect(his.filter((one) => one.type === 'typing').map((one) => (one['recipients'] as unknown[]).length)).toEqual([
      250,
    ]);
    const name = 'crowded';
    const crowded = await server.channel(ann, {
      name,
      subscribers: [ann, bob, ...many.slice(1, 99).map((id) => ({ id }))],
    });
    const started = await eventsAfter(await clientsOf(bob), () => type(ann, inChannel({ stream_id: crowded })));
    expect(started).toMatchObject([[{ stream_id: crowded }]]);
    granted(await ann.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [eve.id] }));
    const [none = []] = await eventsAfter(await clientsOf(bob), async () =>
      granted(await type(ann, inChannel({ stream_id: crowded, op: 'stop' }))),
    );
    expect(none.filter((one) => one.type === 'typing')).toEqual([]);
  });

  it('is delivered before a later message', async () => {
    const clients = await clientsOf(bob);
    const send = async (content: string) =>
      granted(await ann.post('/messages', { type: 'direct', to: [bob.id], content }));
    const events = await eventsAfter(clients, async () => {
      granted(await type(ann, { to: [bob.id] }));
      await send('one');
      granted(await type(ann, { to: [bob.id] }));
      granted(await type(ann, { op: 'stop', to: [bob.id] }));
      await send('two');
      granted(await type(eve, { to: [ann.id] }));
    });
    expect(events.map((his) => his.map((one) => [one.type, one['op']]))).toEqual([
      [
        ['typing', 'start'],
        ['message', undefined],
        ['typing', 'start'],
        ['typing', 'stop'],
        ['message', undefined],
      ],
    ]);
  });

  it('stores nothing', async () => {
    const before = await head();
    granted(await type(ann, { to: [bob.id, eve.id] }));
    granted(await type(ann, inChannel()));
    expect(await head()).toBe(before);
  });
});

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
    const other = await openQueue(bob, { ...NEW, event_types: ['message', 'typing_edit_message'] });
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
