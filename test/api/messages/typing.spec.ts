import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { ChannelId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { openQueue, eventsAfter } from '../../support/events/client-queues';
import { clientsOf, personOf, type } from '../../support/requests/typing';
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
const head = async () => (await server.kernel.events.heads()).get(1 as never);

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
  ])('notifies all users of the conversation, and nobody else, by %s', async (_, params) => {
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
    const deactivated = await server.person();
    granted(await server.owner.delete(`/users/${deactivated.id}`));
    const [hers = []] = await eventsAfter(await clientsOf(bob), async () =>
      granted(await type(ann, { to: [bob.id, deactivated.id] })),
    );
    expect(hers).toEqual([event('start', ann, ann, bob, deactivated)]);
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
    expect((await server.anonymous.post('/typing', { op: 'start', to: [1] })).status).toBe(401);
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
