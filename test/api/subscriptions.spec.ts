import type { Person } from '../support/organization';
import type { Params, WireEvent } from '../support/caller';
import type { TestServer } from '../support/server';
import { startServer } from '../support/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Record<string, number>;
let made = 0;
beforeAll(async () => {
  server = await startServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  member = await server.person();
  guest = await server.person({ role: 'guest' });
  const { body } = await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
  groups = Object.fromEntries(body.user_groups.map(({ id, name }) => [name.replace('role:', ''), id]));
});
afterAll(() => server.close());

type Subscription = Record<string, unknown> & { readonly stream_id: number; readonly name: string };
interface Subscribed {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized?: string[];
}
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const fresh = (what = 'channel') => `${what} ${++made}`;
const subscribe = (by: Person, names: readonly (string | Params)[], more: Params = {}) =>
  by.post<Subscribed>('/users/me/subscriptions', {
    subscriptions: names.map((name) => (typeof name === 'string' ? { name } : name)),
    ...more,
  });
const subscriptionsOf = async (by: Person, params: Params = {}) =>
  (await by.get<{ subscriptions: Subscription[] }>('/users/me/subscriptions', params)).body.subscriptions;
const subscriptionOf = async (by: Person, name: string, params: Params = {}) =>
  (await subscriptionsOf(by, params)).find((one) => one.name === name);
const privateChannel = (wish: Params = {}) => {
  const name = fresh('private');
  return server.channel(owner, { name, invite_only: true, ...wish }).then((id) => ({ id, name }));
};

describe('GET /users/me/subscriptions', () => {
  it('shows the channel with what is personal, and no more', async () => {
    const name = fresh();
    await subscribe(member, [{ name, description: 'about', color: '#ABC' }]);
    const subscription = await subscriptionOf(member, name);
    const { body } = await member.get<{ streams: Subscription[] }>('/streams');
    expect(subscription).toEqual({
      ...body.streams.find((channel) => channel.name === name),
      color: '#aabbcc',
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: null,
      email_notifications: null,
      push_notifications: null,
      audible_notifications: null,
      wildcard_mentions_notify: null,
    });
    expect(subscription).toMatchObject({
      subscriber_count: 1,
      creator_id: member.id,
      rendered_description: '<p>about</p>',
    });
  });

  it.each([
    ['false', undefined],
    ['true', 'list'],
    ['"true"', 'list'],
    ['partial', 'list'],
    ['"partial"', 'list'],
  ])('with include_subscribers %s has subscribers: %s', async (include_subscribers, list) => {
    const id = await server.channel(member, { name: fresh(), subscribers: [guest, member] });
    const mine = (await subscriptionsOf(member, { include_subscribers })).find(({ stream_id }) => stream_id === id);
    const everybody = [member.id, guest.id].sort((a, b) => a - b);
    expect(mine?.['subscribers']).toEqual(list && everybody);
    expect(mine).not.toHaveProperty('partial_subscribers');
  });

  it('refuses other words', async () => {
    for (const include_subscribers of ['yes', 'True', '1', '']) {
      expect(await member.get('/users/me/subscriptions', { include_subscribers })).toMatchObject(
        refused('BAD_REQUEST'),
      );
    }
  });

  it('leaves deactivated people out of lists and counts, and bots in', async () => {
    const leaving = await server.person();
    const bot = await server.bot(member);
    const id = await server.channel(member, { name: fresh(), subscribers: [member, leaving, bot] });
    const mine = async () =>
      (await subscriptionsOf(member, { include_subscribers: true })).find(({ stream_id }) => stream_id === id);
    expect(await mine()).toMatchObject({ subscriber_count: 3 });
    await owner.delete(`/users/${leaving.id}`);
    const left = [member.id, bot.id].sort((a, b) => a - b);
    expect(await mine()).toMatchObject({ subscriber_count: 2, subscribers: left });
  });

  it('is what register says, with nulls only for clients that know them', async () => {
    const options = { fetch_event_types: ['subscription', 'stream'], include_subscribers: true };
    const aware = await member.register({ ...options, client_capabilities: { notification_settings_null: true } });
    expect(aware['subscriptions']).toEqual(await subscriptionsOf(member, { include_subscribers: true }));
    const unaware = await member.register(options);
    expect((unaware['subscriptions'] as Subscription[])[0]).toMatchObject({
      desktop_notifications: false,
      email_notifications: false,
      push_notifications: false,
      audible_notifications: false,
      wildcard_mentions_notify: true,
    });
  });

  it('leaves the rest of what one may see to register', async () => {
    const unseen = await privateChannel({ subscribers: [owner] });
    const open = await server.channel(owner, { name: fresh(), subscribers: [owner] });
    const { streams, subscriptions, never_subscribed } = (await member.register({
      fetch_event_types: ['subscription', 'stream'],
    })) as unknown as Record<string, Subscription[]>;
    const ids = (list: Subscription[] | undefined) => (list ?? []).map(({ stream_id }) => stream_id);
    expect(ids(never_subscribed)).toContain(open);
    expect(ids(never_subscribed)).not.toContain(unseen.id);
    expect(ids(streams).sort()).toEqual([...ids(subscriptions), ...ids(never_subscribed)].sort());
    expect(never_subscribed?.find(({ stream_id }) => stream_id === open)).not.toHaveProperty('color');
    const listed = (await member.get<{ streams: Subscription[] }>('/streams', { include_all: true })).body.streams;
    expect(streams).toEqual(listed);
  });
});

describe('POST /users/me/subscriptions', () => {
  it('creates channels that are new and tells what was there', async () => {
    const [one, two] = [fresh(), fresh()];
    expect((await subscribe(member, [one])).body).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [member.id]: [one] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    });
    expect((await subscribe(member, [` ${one.toUpperCase()} `, two])).body).toMatchObject({
      subscribed: { [member.id]: [two] },
      already_subscribed: { [member.id]: [one] },
    });
  });

  it('takes a name that is listed twice once, in its first spelling', async () => {
    const name = fresh();
    const { body } = await subscribe(member, [name, name.toUpperCase(), ` ${name} `]);
    expect(body.subscribed).toEqual({ [member.id]: [name] });
    expect(await subscriptionOf(member, name)).toMatchObject({ name });
  });

  it('creates as wished, with all settings, and leaves existing channels as they are', async () => {
    const name = fresh();
    const wish = {
      invite_only: true,
      topics_policy: '"disable_empty_topic"',
      can_send_message_group: groups['moderators'],
    };
    await subscribe(member, [{ name, description: 'first' }], wish);
    const made = await subscriptionOf(member, name);
    expect(made).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
      topics_policy: 'disable_empty_topic',
      stream_post_policy: 4,
      description: 'first',
    });
    await subscribe(member, [{ name, description: 'second' }], { history_public_to_subscribers: true });
    expect(await subscriptionOf(member, name)).toEqual(made);
  });

  it('gives each subscription a colour of its own', async () => {
    const person = await server.person();
    await subscribe(person, [fresh(), fresh(), fresh()]);
    const colors = (await subscriptionsOf(person)).map(({ color }) => color);
    expect(colors).toHaveLength(4);
    expect(new Set(colors).size).toBe(4);
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('subscribes others by id or by address, all or none', async () => {
    const name = fresh();
    const other = await server.person();
    expect((await subscribe(member, [name], { principals: [other.id, guest.id] })).body.subscribed).toEqual({
      [other.id]: [name],
      [guest.id]: [name],
    });
    const emails = [member.email.toUpperCase(), other.email];
    expect((await subscribe(member, [name], { principals: emails })).body).toMatchObject({
      subscribed: { [member.id]: [name] },
      already_subscribed: { [other.id]: [name] },
    });
    for (const principals of [[other.id, 999_999], ['nobody@example.com'], [member.id, 'x'], {}, [2 ** 40]]) {
      const unheard = fresh();
      expect(await subscribe(member, [unheard], { principals })).toMatchObject(refused('BAD_REQUEST'));
      expect(await subscriptionOf(member, unheard)).toBeUndefined();
    }
  });

  it('refuses people who are gone', async () => {
    const gone = await server.person();
    await owner.delete(`/users/${gone.id}`);
    expect(await subscribe(member, [fresh()], { principals: [gone.id] })).toMatchObject(refused('BAD_REQUEST'));
  });

  it.each<[string, Params]>([
    ['no list', { subscriptions: undefined }],
    ['names alone', { subscriptions: ['a'] }],
    ['a blank name', { subscriptions: [{ name: ' ' }] }],
    ['a long name', { subscriptions: [{ name: 'x'.repeat(61) }] }],
    ['an unprintable name', { subscriptions: [{ name: 'a\u0000b' }] }],
    ['a long description', { subscriptions: [{ name: 'ok', description: 'x'.repeat(1025) }] }],
    ['a bad colour', { subscriptions: [{ name: 'ok', color: 'red' }] }],
    ['malformed JSON', { subscriptions: '[{' }],
    ['a bad setting, though no channel is new', { subscriptions: [{ name: 'general' }], topics_policy: 'no' }],
  ])('refuses %s', async (_, params) => {
    const { status, body } = await owner.post('/users/me/subscriptions', params);
    expect(status).toBe(400);
    expect(body.code).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_MISSING)$/);
  });

  it('is not for guests', async () => {
    expect(await subscribe(guest, ['general'])).toMatchObject(refused('BAD_REQUEST'));
  });

  describe('to a private channel', () => {
    it('is refused to who may not read it, administrators included, by name', async () => {
      const { name } = await privateChannel();
      for (const by of [member, administrator]) {
        const { status, body } = await subscribe(by, [name]);
        expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
        expect(body.msg).toContain(name);
      }
    });

    it('is listed as unauthorized where that is no error', async () => {
      const { name } = await privateChannel();
      const open = fresh();
      const { body } = await subscribe(member, [name, open], { authorization_errors_fatal: false });
      expect(body).toMatchObject({ subscribed: { [member.id]: [open] }, unauthorized: [name] });
      expect((await subscribe(member, [open], { authorization_errors_fatal: false })).body.unauthorized).toEqual([]);
    });

    it('is allowed to groups that may join or add', async () => {
      for (const setting of ['can_subscribe_group', 'can_add_subscribers_group']) {
        const { name } = await privateChannel({ [setting]: { direct_members: [member.id], direct_subgroups: [] } });
        expect((await subscribe(member, [name])).body.subscribed).toEqual({ [member.id]: [name] });
      }
    });
  });

  describe('of others', () => {
    const onlyAdministratorsAdd = (group: string) =>
      owner.patch('/realm', { can_add_subscribers_group: { new: groups[group] } });
    afterEach(() => onlyAdministratorsAdd('members'));

    it('is for those the organization or the channel lets', async () => {
      const other = await server.person();
      const theirs = await server.channel(owner, { name: fresh(), subscribers: [owner] });
      const mine = await server.channel(member, { name: fresh(), subscribers: [owner] });
      const adding = { direct_members: [member.id], direct_subgroups: [] };
      const open = await server.channel(owner, { name: fresh(), can_add_subscribers_group: adding });
      const names = new Map((await subscriptionsOf(owner)).map(({ stream_id, name }) => [stream_id, name]));
      const add = (by: Person, id: number) => subscribe(by, [names.get(id) ?? ''], { principals: [other.id] });
      await onlyAdministratorsAdd('administrators');
      expect(await add(member, theirs)).toMatchObject(refused('BAD_REQUEST'));
      expect((await add(member, mine)).status).toBe(200);
      expect((await add(member, open)).status).toBe(200);
      expect((await add(administrator, theirs)).status).toBe(200);
    });

    it('to a private channel needs to be able to read it', async () => {
      const { name } = await privateChannel({ subscribers: [owner, member] });
      const other = await server.person();
      expect(await subscribe(administrator, [name], { principals: [other.id] })).toMatchObject(refused('BAD_REQUEST'));
      expect((await subscribe(member, [name], { principals: [other.id] })).status).toBe(200);
    });
  });

  it('makes one subscription when it is asked for several times at once', async () => {
    const name = fresh();
    const id = await server.channel(owner, { name, subscribers: [owner] });
    const answers = await Promise.all(Array.from({ length: 6 }, () => subscribe(member, [name])));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(answers.filter(({ body }) => body.subscribed[String(member.id)] !== undefined)).toHaveLength(1);
    const { rows } = await server.kernel.database.pool.query(
      'SELECT FROM view.memberships WHERE channel_id = $1 AND user_id = $2',
      [id, member.id],
    );
    expect(rows).toHaveLength(1);
  });

  it('of many is one event of the log', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, () => server.person()));
    const before = (await server.kernel.events.heads()).get(1 as never) ?? 0;
    await subscribe(member, ['general'], { principals: [...many.map(({ id }) => id), guest.id] });
    const events = await server.kernel.events.page(1 as never, before, 100);
    expect(events.map(({ type }) => type)).toEqual([]);
    const name = fresh();
    await subscribe(member, [name], { principals: many.map(({ id }) => id) });
    const [created, subscribed, ...more] = await server.kernel.events.page(1 as never, before, 100);
    expect(created?.type).toBe('channels.ChannelCreated');
    expect(subscribed?.data).toMatchObject({ userIds: many.map(({ id }) => id) });
    expect(more).toEqual([]);
  });
});

describe('what clients hear of subscriptions', () => {
  const kinds = (events: readonly WireEvent[]) => events.map(({ type, op }) => `${type} ${op ?? ''}`.trim());

  it('is one event for all new channels of a person, and one for each that peers see', async () => {
    const other = await server.person();
    const names = [fresh(), fresh()];
    for (const name of names) await server.channel(owner, { name, subscribers: [owner] });
    let toPeer: readonly WireEvent[] = [];
    const toOther = await other.receive(
      async () => {
        toPeer = await member.receive(() => subscribe(owner, names, { principals: [other.id] }), 'subscription');
      },
      { event_types: ['subscription', 'stream'] },
    );
    expect(toOther).toMatchObject([
      { type: 'subscription', op: 'add', subscriptions: names.map((name) => ({ name })) },
    ]);
    expect(toPeer).toMatchObject(names.map(() => ({ op: 'peer_add', user_ids: [other.id] })));
  });

  it('begins with the channel for who could not see it: guests, and others in private channels', async () => {
    const { name } = await privateChannel({ subscribers: [owner, member] });
    const open = fresh();
    await server.channel(owner, { name: open, subscribers: [owner] });
    const heard = async (who: Person, channel: string) =>
      kinds(
        await who.receive(() => subscribe(owner, [channel], { principals: [who.id] }), {
          event_types: ['stream', 'subscription'],
        }),
      );
    const other = await server.person();
    expect(await heard(other, name)).toEqual(['stream create', 'subscription add']);
    expect(await heard(administrator, name)).toEqual(['subscription add']);
    expect(await heard(guest, open)).toEqual(['stream create', 'subscription add']);
    expect(await heard(other, open)).toEqual(['subscription add']);
  });

  it('is hidden from who may not see the list of a private channel', async () => {
    const { name } = await privateChannel({ subscribers: [owner, member] });
    const [other, outsider] = [await server.person(), await server.person()];
    const act = () => subscribe(owner, [name], { principals: [other.id] });
    expect(await outsider.receive(act, 'subscription')).toEqual([]);
  });

  it('tells that somebody left the organization, before it tells that they are gone', async () => {
    const leaving = await server.person();
    const ids = [await server.channel(leaving, { name: fresh() }), await server.channel(leaving, { name: fresh() })];
    const { id: hidden } = await privateChannel({ subscribers: [owner, leaving] });
    const events = await member.receive(() => owner.delete(`/users/${leaving.id}`), {
      event_types: ['subscription', 'realm_user'],
    });
    expect(kinds(events).at(-1)).toBe('realm_user update');
    const left = events.filter(({ type }) => type === 'subscription');
    expect(left.every(({ op, user_ids }) => op === 'peer_remove' && String(user_ids) === String(leaving.id))).toBe(
      true,
    );
    const channels = left.flatMap(({ stream_ids }) => stream_ids as number[]);
    expect(channels).toEqual(expect.arrayContaining(ids));
    expect(channels).not.toContain(hidden);
  });

  it('shows and hides channels as roles change', async () => {
    const other = await server.person();
    const { id: secret } = await privateChannel({ subscribers: [owner, member] });
    const mine = await server.channel(other, { name: fresh(), subscribers: [other] });
    const become = (role: number) =>
      other.receive(() => owner.patch(`/users/${other.id}`, { role }), { event_types: ['stream', 'subscription'] });
    const promoted = await become(200);
    expect(promoted[0]).toMatchObject({ type: 'stream', op: 'create' });
    const gained = (promoted[0] as unknown as { streams: Subscription[] }).streams.map(({ stream_id }) => stream_id);
    expect(gained).toContain(secret);
    const peers = promoted.find(({ stream_ids }) => String(stream_ids) === String(secret));
    expect(peers).toMatchObject({ op: 'peer_add', user_ids: [owner.id, member.id].sort((a, b) => a - b) });
    expect(await become(400)).toMatchObject([
      { type: 'stream', op: 'delete', stream_ids: gained, streams: gained.map((stream_id) => ({ stream_id })) },
    ]);
    const [demoted] = await become(600);
    expect(demoted).toMatchObject({ type: 'stream', op: 'delete' });
    expect(demoted?.['stream_ids']).not.toContain(mine);
  });

  it('counts the subscribers of a channel that comes into sight once: with the event that names them', async () => {
    const other = await server.person({ role: 'guest' });
    const id = await server.channel(owner, { name: fresh(), subscribers: [owner, member] });
    const seen = await other.receive(() => owner.patch(`/users/${other.id}`, { role: 400 }), {
      event_types: ['stream', 'subscription'],
    });
    const { streams } = seen[0] as unknown as { streams: Subscription[] };
    expect(streams.find(({ stream_id }) => stream_id === id)).toMatchObject({ subscriber_count: 0 });
    const peers = seen.filter(({ stream_ids }) => String(stream_ids) === String(id));
    expect(peers).toMatchObject([{ op: 'peer_add', user_ids: [owner.id, member.id].sort((a, b) => a - b) }]);
  });

  it('takes the default channels from who becomes a guest, and gives them back', async () => {
    const other = await server.person();
    const become = (role: number) =>
      other.receive(() => owner.patch(`/users/${other.id}`, { role }), 'default_streams');
    const { realm_default_streams: defaults } = await other.register({ fetch_event_types: ['default_streams'] });
    expect(defaults).not.toEqual([]);
    expect(await become(600)).toMatchObject([{ type: 'default_streams', default_streams: [] }]);
    expect(await become(400)).toMatchObject([{ type: 'default_streams', default_streams: defaults }]);
    expect(await become(200)).toEqual([]);
    const others = await member.receive(() => owner.patch(`/users/${other.id}`, { role: 400 }), 'default_streams');
    expect(others).toEqual([]);
  });

  it('shows and hides what full members know of as the waiting period changes', async () => {
    const { id } = await privateChannel({ subscribers: [owner], can_subscribe_group: groups['fullmembers'] });
    const newcomer = await server.person();
    const wait = (days: number) => () => owner.patch('/realm', { waiting_period_threshold: days });
    const types = { event_types: ['stream', 'subscription'] };
    expect(await newcomer.receive(wait(3), types)).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }]);
    expect(await guest.receive(wait(0), types)).toEqual([]);
    await wait(3)();
    expect(await newcomer.receive(wait(0), types)).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [owner.id] },
    ]);
  });
});
