import type { Params } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { subscribe, subscriptionOf, subscriptionsOf } from '../../support/requests/subscriptions';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let guest: Person;
let groups: Readonly<Record<string, number>>;
beforeAll(async () => ({ server, owner, administrator, member, guest, groups } = await startWithUsers()));
afterAll(() => server.close());

let made = 0;
const refused = (code: string) => ({ status: 400, body: { result: 'error', code } });
const fresh = (what = 'channel') => `${what} ${++made}`;
const privateChannel = (input: Params = {}) => {
  const name = fresh('private');
  return server.channel(owner, { name, invite_only: true, ...input }).then((id) => ({ id, name }));
};

describe('POST /users/me/subscriptions', () => {
  it('creates new channels and lists the existing ones', async () => {
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

  it('uses a name that is listed twice once, in its first spelling', async () => {
    const name = fresh();
    const { body } = await subscribe(member, [name, name.toUpperCase(), ` ${name} `]);
    expect(body.subscribed).toEqual({ [member.id]: [name] });
    expect(await subscriptionOf(member, name)).toMatchObject({ name });
  });

  it('creates channels with all given settings, and does not change existing ones', async () => {
    const name = fresh();
    const input = {
      invite_only: true,
      topics_policy: '"disable_empty_topic"',
      can_send_message_group: groups['moderators'],
    };
    await subscribe(member, [{ name, description: 'first' }], input);
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

  it('gives each subscription a color of its own', async () => {
    const person = await server.person();
    await subscribe(person, [fresh(), fresh(), fresh()]);
    const colors = (await subscriptionsOf(person)).map(({ color }) => color);
    expect(colors).toHaveLength(4);
    expect(new Set(colors).size).toBe(4);
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('subscribes others by id or by email, all or none', async () => {
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

  it('refuses deactivated users', async () => {
    const deactivated = await server.person();
    await owner.delete(`/users/${deactivated.id}`);
    expect(await subscribe(member, [fresh()], { principals: [deactivated.id] })).toMatchObject(refused('BAD_REQUEST'));
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
    it('is refused to users without access, administrators included, with its name', async () => {
      const { name } = await privateChannel();
      for (const by of [member, administrator]) {
        const { status, body } = await subscribe(by, [name]);
        expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
        expect(body.msg).toContain(name);
      }
    });

    it('is listed as unauthorized if that is not an error', async () => {
      const { name } = await privateChannel();
      const open = fresh();
      const { body } = await subscribe(member, [name, open], { authorization_errors_fatal: false });
      expect(body).toMatchObject({ subscribed: { [member.id]: [open] }, unauthorized: [name] });
      expect((await subscribe(member, [open], { authorization_errors_fatal: false })).body.unauthorized).toEqual([]);
    });

    it('is allowed to groups with the permission to join or to add', async () => {
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

    it('is allowed as the organization or the channel says', async () => {
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

    it('to a private channel requires access to its content', async () => {
      const { name } = await privateChannel({ subscribers: [owner, member] });
      const other = await server.person();
      expect(await subscribe(administrator, [name], { principals: [other.id] })).toMatchObject(refused('BAD_REQUEST'));
      expect((await subscribe(member, [name], { principals: [other.id] })).status).toBe(200);
    });
  });

  it('makes one subscription for concurrent requests', async () => {
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

  it('of many users is one event of the log', async () => {
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
