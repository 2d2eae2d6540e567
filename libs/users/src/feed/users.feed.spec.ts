import type { QueueProfile } from '@annals/kernel';
import { feedReader } from '@annals/kernel';
import type { ClientEvent, Fact, GroupId, Position, Recorded, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles, fact } from '@annals/kernel/domain';
import { RealmSettingsChanged, realmContext } from '@annals/realm';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import {
  AccountCreated,
  AvatarChanged,
  BotOwnerChanged,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  OwnSettingsChanged,
  RoleChanged,
} from '../domain/events';
import { usersContext } from '../users.context';
import { departuresFeed, usersFeed } from './users.feed';
import { botsPresenter as presenterOfBots } from './bots.presenter';
import { usersPresenter } from './users.presenter';

const botsPresenter = presenterOfBots(async () => new Map());
const id = (user: number) => user as UserId;
const of = (user: number, happened: Fact): [string, Fact] => [`user-${user}`, happened];
const created = (user: number, data: Partial<AccountCreated['data']> = {}) =>
  of(
    user,
    fact(
      AccountCreated,
      {
        userId: id(user),
        role: Roles.member,
        botType: null,
        botOwnerId: null,
        isSystemBot: false,
        awaitsFirstLogin: false,
        canCreateUsers: false,
        canChangeUserEmails: false,
        ...data,
      },
      { email: `user${user}@zulip.com`, fullName: `User ${user}` },
    ),
  );
const chose = (user: number, settings: OwnSettingsChanged['data']['settings']): [string, Fact] => [
  `own-settings-${user}`,
  fact(OwnSettingsChanged, { userId: id(user), settings, previous: {} }, {}),
];
const role = (user: number, from: Role, to: Role) =>
  of(user, fact(RoleChanged, { userId: id(user), from, to, isActive: true }));
const administratorsAnd = (owner: number) => ({
  kind: 'any',
  of: [
    { kind: 'users', users: [owner] },
    { kind: 'roles', atMost: 200 },
  ],
});

/** A member who shares no channel and no conversation with anybody. */
const OTHER_MEMBER = { userId: id(99), role: Roles.member, url: 'https://chat.example.com' };

describe('client events of accounts', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel([realmContext, usersContext]);
  });
  afterEach(() => test.close());

  /** The client events after a position, without those for guests only. */
  const received = async (after = 0) => (await all(after)).filter(({ payload }) => payload['op'] !== 'sight');

  const all = (after = 0): Promise<ClientEvent[]> =>
    test.kernel.database.snapshot(async (client) => {
      const events = await test.kernel.events.page(REALM, after, 100, client);
      const feeds = [usersFeed, departuresFeed];
      const facts = await Promise.all(
        feeds.map(async (feed) => feed.facts?.(feedReader(test.kernel.events, REALM, client), events)),
      );
      const translate = (event: Recorded) =>
        feeds.flatMap((feed, n) => feed.translations.get(event.type)?.(event, facts[n], events) ?? []);
      return events.flatMap(translate);
    });

  const presented = (presenter: typeof usersPresenter, event: ClientEvent, queue: Partial<QueueProfile> = {}) =>
    test.kernel.database.snapshot(async (client) => {
      const placed = { ...event, position: 1 as Position, k: 0 };
      const loaded = await presenter.load(feedReader(test.kernel.events, REALM, client), [placed], [], []);
      return presenter.present(
        placed,
        loaded as never,
        { ...OTHER_MEMBER, clientGravatar: false, ...queue } as QueueProfile,
      )[0];
    });

  it('are sent to all for a new user, with the whole user', async () => {
    await test.state(created(7, { role: Roles.guest }));
    const [added, ...none] = await received();
    expect(none).toEqual([]);
    expect(added).toMatchObject({ type: 'realm_user', audience: { kind: 'everyone' } });
    expect(await presented(usersPresenter, added!)).toEqual({
      type: 'realm_user',
      op: 'add',
      person: {
        user_id: 7,
        email: 'user7@zulip.com',
        delivery_email: 'user7@zulip.com',
        full_name: 'User 7',
        date_joined: '2026-01-01T00:00+00:00',
        is_active: true,
        is_owner: false,
        is_admin: false,
        is_guest: true,
        is_bot: false,
        role: 600,
        bot_type: null,
        bot_owner_id: null,
        timezone: '',
        avatar_url: 'https://secure.gravatar.com/avatar/307fea69094a89008cd1390d4c9d3951?d=identicon&version=1',
        avatar_version: 1,
        is_imported_stub: false,
        profile_data: {},
      },
    });
    expect(await presented(usersPresenter, added!, { clientGravatar: true })).toMatchObject({
      person: { avatar_url: null },
    });
  });

  it('show the email of a new user only to users who may see it', async () => {
    await test.state(created(7), chose(7, { email_address_visibility: 3 }));
    const [added] = await received();
    const changeFor = (queue: Partial<QueueProfile>) =>
      presented(usersPresenter, added!, { clientGravatar: true, ...queue });
    const shown = { email: 'user7@zulip.com', delivery_email: 'user7@zulip.com', avatar_url: null };
    expect(await changeFor({ role: Roles.administrator })).toMatchObject({ person: shown });
    expect(await changeFor({ userId: id(7) })).toMatchObject({ person: shown });
    const hidden = { email: 'user7@chat.example.com', delivery_email: null, avatar_url: expect.any(String) as string };
    expect(await changeFor({ role: Roles.moderator })).toMatchObject({ person: hidden });
  });

  it('exclude system accounts', async () => {
    await test.state(created(2, { isSystemBot: true, botType: 1 }));
    expect(await received()).toEqual([]);
  });

  it('send a bot also to its owner and administrators', async () => {
    await test.state(created(9, { botType: 1, botOwnerId: id(7) }));
    const [, added] = await received();
    expect(added).toMatchObject({ type: 'realm_bot', audience: administratorsAnd(7) });
    expect(await presented(botsPresenter, added!)).toEqual({
      type: 'realm_bot',
      op: 'add',
      bot: {
        user_id: 9,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        services: [],
      },
    });
  });

  it('show a name as it is at delivery', async () => {
    const renamed = (fullName: string) => of(7, fact(FullNameChanged, { userId: id(7) }, { fullName }));
    await test.state(created(7), renamed('Lear'), renamed('King Lear'));
    const [, first] = await received();
    expect(JSON.stringify(first)).not.toContain('Lear');
    expect(await presented(usersPresenter, first!)).toEqual({
      type: 'realm_user',
      op: 'update',
      person: { user_id: 7, full_name: 'King Lear' },
    });
  });

  it('show role and time of joining as of the event', async () => {
    await test.state(created(7), role(7, Roles.member, Roles.moderator), role(7, Roles.moderator, Roles.guest));
    await test.state(of(7, fact(FirstLoggedIn, { userId: id(7), wasImported: true })));
    const updates = await Promise.all((await received(1)).map((event) => presented(usersPresenter, event)));
    expect(updates.flatMap((update) => update?.['person'] ?? [])).toEqual([
      { user_id: 7, role: 300 },
      { user_id: 7, role: 600 },
      { user_id: 7, is_imported_stub: false },
      { user_id: 7, date_joined: '2026-01-01T00:00+00:00' },
    ]);
  });

  it('notify guests where other users may have become visible or hidden', async () => {
    await test.state(created(7), role(7, Roles.member, Roles.guest), role(7, Roles.guest, Roles.moderator));
    await test.state(role(7, Roles.moderator, Roles.member), created(9, { botType: 1, botOwnerId: id(7) }));
    await test.state(
      [
        'realm',
        fact(RealmSettingsChanged, { settings: { can_access_all_users_group: 6 as GroupId }, previous: {} }, {}),
      ],
      ['realm', fact(RealmSettingsChanged, { settings: { waiting_period_threshold: 3 }, previous: {} }, {})],
      of(9, fact(Deactivated, { userId: id(9), role: Roles.member, botOwnerId: id(7) })),
      of(7, fact(Deactivated, { userId: id(7), role: Roles.member, botOwnerId: null })),
    );
    const own = { kind: 'users', users: [7] };
    const guests = { kind: 'guests' };
    expect((await all()).filter(({ payload }) => payload['op'] === 'sight')).toEqual([
      { type: 'realm_user', audience: own, payload: { op: 'sight', since: 1, userIds: [7] } },
      { type: 'realm_user', audience: own, payload: { op: 'sight', since: 2, userIds: [7] } },
      { type: 'realm_user', audience: guests, payload: { op: 'sight', since: 5, userIds: null } },
      { type: 'realm_user', audience: guests, payload: { op: 'sight', since: 8, userIds: [7] } },
    ]);
  });

  it('add the bots of others for a new administrator, and remove them again', async () => {
    await test.state(
      created(7),
      created(8, { botType: 1, botOwnerId: id(7) }),
      created(9, { botType: 1, botOwnerId: id(11) }),
      created(10, { botType: 1, botOwnerId: id(11) }),
      of(10, fact(Deactivated, { userId: id(10), role: Roles.member, botOwnerId: id(11) })),
    );
    await test.state(role(7, Roles.member, Roles.moderator), role(7, Roles.moderator, Roles.owner));
    await test.state(role(7, Roles.owner, Roles.administrator), role(7, Roles.administrator, Roles.guest));
    await test.state(created(12, { botType: 1, botOwnerId: id(11) }));
    const bots = (await received(5)).filter(({ type }) => type === 'realm_bot');
    expect(bots.slice(0, 2)).toEqual([
      { type: 'realm_bot', audience: { kind: 'users', users: [7] }, payload: { op: 'add', userId: 9 } },
      { type: 'realm_bot', audience: { kind: 'users', users: [7] }, payload: { op: 'delete', userId: 9 } },
    ]);
    expect(bots.slice(2)).toMatchObject([{ payload: { op: 'add', userId: 12 } }]);
  });

  it('add bots for a new administrator with their owners of that time', async () => {
    const given = (from: number, to: number) =>
      of(10, fact(BotOwnerChanged, { userId: id(10), from: id(from), to: id(to), isActive: true }));
    await test.state(created(7), created(10, { botType: 1, botOwnerId: id(7) }), given(7, 11));
    await test.state(role(7, Roles.member, Roles.administrator), given(11, 7));
    await test.state(role(7, Roles.administrator, Roles.member), role(7, Roles.member, Roles.owner));
    const bots = (await received(3)).filter(({ type }) => type === 'realm_bot');
    const lone = (user: number) => ({ kind: 'users', users: [user] });
    const but = (user: number) => ({ kind: 'but', these: lone(user), not: { kind: 'roles', atMost: 200 } });
    expect(bots).toEqual([
      { type: 'realm_bot', audience: lone(7), payload: { op: 'add', userId: 10 } },
      { type: 'realm_bot', audience: but(11), payload: { op: 'delete', userId: 10 } },
      { type: 'realm_bot', audience: but(7), payload: { op: 'add', userId: 10 } },
    ]);
  });

  it('show each picture as of the event, also when a newer one replaced it', async () => {
    const avatar = (file: string | null, version: number) =>
      of(7, fact(AvatarChanged, { userId: id(7), file, version }));
    await test.state(created(7), avatar('a'.repeat(32), 2), avatar(null, 3));
    const updates = await Promise.all((await received(1)).map((event) => presented(usersPresenter, event)));
    const gravatar = 'https://secure.gravatar.com/avatar/307fea69094a89008cd1390d4c9d3951?d=identicon';
    expect(updates.map((update) => update?.['person'])).toEqual([
      {
        user_id: 7,
        avatar_source: 'U',
        avatar_url: `/user_avatars/1/${'a'.repeat(32)}.png?version=2`,
        avatar_url_medium: `/user_avatars/1/${'a'.repeat(32)}-medium.png?version=2`,
        avatar_version: 2,
      },
      {
        user_id: 7,
        avatar_source: 'G',
        avatar_url: `${gravatar}&version=3`,
        avatar_url_medium: `${gravatar}&s=500&version=3`,
        avatar_version: 3,
      },
    ]);
  });

  it('send a deactivation, and remove a bot', async () => {
    await test.state(
      created(7),
      created(9, { botType: 1, botOwnerId: id(7) }),
      of(9, fact(Deactivated, { userId: id(9), role: Roles.member, botOwnerId: id(7) })),
      of(7, fact(Deactivated, { userId: id(7), role: Roles.member, botOwnerId: null })),
    );
    const [botLeft, botClosed, left, ...none] = await received(2);
    expect(none).toEqual([]);
    expect(await presented(usersPresenter, botLeft!)).toMatchObject({ person: { user_id: 9, is_active: false } });
    expect(botClosed).toMatchObject({ audience: administratorsAnd(7) });
    expect(await presented(botsPresenter, botClosed!)).toEqual({
      type: 'realm_bot',
      op: 'delete',
      bot: { user_id: 9 },
    });
    expect(await presented(usersPresenter, left!)).toEqual({
      type: 'realm_user',
      op: 'update',
      person: { user_id: 7, is_active: false },
    });
  });
});
