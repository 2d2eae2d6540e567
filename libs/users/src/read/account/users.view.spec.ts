import type { Fact, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles, fact } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import type { KeyId } from '../../domain/events';
import {
  AccountCreated,
  ApiKeyIssued,
  ApiKeysRevoked,
  AvatarChanged,
  BotAcquired,
  BotOwnerChanged,
  BotReleased,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  PasswordSet,
  RoleChanged,
} from '../../domain/events';
import { usersContext } from '../../users.context';
import { UserFacts } from './user-facts';
import { departedAmong, readAllUsers } from './user-row';

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
      { email: `User.${user}@Zulip.com`, fullName: `Üser ${user}` },
    ),
  );
const role = (user: number, from: Role, to: Role) =>
  of(user, fact(RoleChanged, { userId: id(user), from, to, isActive: true }));

describe('the read model of accounts', () => {
  let test: TestKernel;
  let facts: UserFacts;
  beforeEach(async () => {
    test = await openTestKernel([realmContext, usersContext]);
    facts = new UserFacts(test.kernel);
  });
  afterEach(() => test.close());

  const account = async (user: number) => {
    await test.kernel.fence.reach(REALM);
    return facts.account(REALM, user);
  };
  const spans = () => test.rows('account_spans', 'user_id, from_position');

  it('shows a new account', async () => {
    await test.state(created(7, { role: Roles.owner, canCreateUsers: true }));
    expect(await account(7)).toEqual({
      realmId: REALM,
      userId: 7,
      version: 1,
      deliveryEmail: 'User.7@Zulip.com',
      addressVisibility: 1,
      addressPosition: 1,
      timezone: '',
      fullName: 'Üser 7',
      role: 100,
      isActive: true,
      isDeleted: false,
      botType: null,
      botOwnerId: null,
      isSystemBot: false,
      canCreateUsers: true,
      canChangeUserEmails: false,
      avatarFile: null,
      avatarVersion: 1,
      createdAt: test.clock.now(),
      joinedAt: test.clock.now(),
      awaitsFirstLogin: false,
      isImported: false,
      sendingChannel: null,
      eventsChannel: null,
      allPublicChannels: false,
    });
    expect(await account(8)).toBeUndefined();
  });

  it('has the version of the stream after every kind of event', async () => {
    const userId = id(7);
    const happened = [
      fact(BotAcquired, { userId, botId: id(9) }),
      fact(BotReleased, { userId, botId: id(9) }),
      fact(BotOwnerChanged, { userId, from: null, to: id(8), isActive: true }),
      fact(AvatarChanged, { userId, file: 'a'.repeat(32), version: 2 }),
      fact(FullNameChanged, { userId }, { fullName: 'Lear' }),
      fact(RoleChanged, { userId, from: Roles.member, to: Roles.guest, isActive: true }),
      fact(PasswordSet, { userId }),
      fact(ApiKeyIssued, { userId, keyId: 1 as KeyId }),
      fact(ApiKeysRevoked, { userId, keyIds: [1 as KeyId] }),
      fact(FirstLoggedIn, { userId }),
      fact(Deactivated, { userId, role: Roles.guest, botOwnerId: null }),
    ];
    await test.state(created(7));
    for (const [n, one] of happened.entries()) {
      await test.state(of(7, one));
      expect((await account(7))?.version).toBe(n + 2);
    }
    expect(await account(7)).toMatchObject({
      fullName: 'Lear',
      role: 600,
      isActive: false,
      botOwnerId: 8,
      avatarVersion: 2,
    });
  });

  it('counts all events of one append', async () => {
    const userId = id(7);
    await test.state(created(7), of(7, fact(PasswordSet, { userId })), of(7, fact(FirstLoggedIn, { userId })));
    expect((await account(7))?.version).toBe(3);
  });

  it('sets the time of joining at the first login', async () => {
    const before = test.clock.now();
    await test.state(created(7, { awaitsFirstLogin: true, isImported: true }));
    expect(await account(7)).toMatchObject({ awaitsFirstLogin: true, isImported: true });
    test.clock.advance(60_000);
    await test.state(of(7, fact(FirstLoggedIn, { userId: id(7) })));
    expect(await account(7)).toMatchObject({ createdAt: before, joinedAt: before + 60_000, awaitsFirstLogin: false });
  });

  it('finds accounts by email in any letter case, also right after they were created', async () => {
    await test.kernel.fence.reach(REALM);
    expect(await facts.idByEmail(REALM, 'user.7@zulip.com')).toBeUndefined();
    await test.state(created(7), created(8));
    await test.kernel.fence.reach(REALM);
    expect(await facts.idByEmail(REALM, 'USER.7@zulip.COM')).toBe(7);
    const found = await facts.idsByEmail(REALM, ['user.8@ZULIP.com', 'nobody@zulip.com', 'User.7@Zulip.com']);
    expect(found).toEqual(
      new Map([
        ['user.8@ZULIP.com', 8],
        ['User.7@Zulip.com', 7],
      ]),
    );
  });

  it('lists all users by id, with deactivated ones', async () => {
    await test.state(created(9, { botType: 1, botOwnerId: id(7) }), created(7));
    await test.state(of(9, fact(Deactivated, { userId: id(9), role: Roles.member, botOwnerId: id(7) })));
    const all = await readAllUsers(test.kernel.database.pool, REALM);
    expect(all.map(({ userId, isActive, botType }) => [userId, isActive, botType])).toEqual([
      [7, true, null],
      [9, false, 1],
    ]);
    expect(await departedAmong(test.kernel.database.pool, REALM, [id(7), id(9), id(11)])).toEqual(new Set([9]));
  });

  it('keeps spans of roles', async () => {
    await test.state(created(7), created(8));
    await test.state(role(7, Roles.member, Roles.administrator));
    await test.state(
      role(7, Roles.administrator, Roles.member),
      of(7, fact(Deactivated, { userId: id(7), role: Roles.member, botOwnerId: null })),
    );
    const span = (
      user_id: number,
      from_position: number,
      to_position: number | null,
      of: Role,
      is_active: boolean,
    ) => ({
      user_id,
      from_position,
      to_position,
      role: of,
      is_active,
    });
    expect(await spans()).toEqual([
      span(7, 1, 3, 400, true),
      span(7, 3, 4, 200, true),
      span(7, 4, 5, 400, true),
      span(7, 5, null, 400, false),
      span(8, 2, null, 400, true),
    ]);
  });

  it('keeps spans of the ownership of bots', async () => {
    await test.state(created(7), created(9, { botType: 1, botOwnerId: id(7) }));
    await test.state(of(9, fact(BotOwnerChanged, { userId: id(9), from: id(7), to: id(8), isActive: true })));
    expect(await test.rows('bot_ownerships', 'bot_id, from_position')).toEqual([
      { bot_id: 9, from_position: 2, to_position: 3, owner_id: 7 },
      { bot_id: 9, from_position: 3, to_position: null, owner_id: 8 },
    ]);
  });

  it('keeps no spans of the system', async () => {
    await test.state(created(2, { isSystemBot: true, botType: 1 }));
    expect(await spans()).toEqual([]);
    expect(await test.rows('bot_ownerships', 'bot_id')).toEqual([]);
    expect(await account(2)).toMatchObject({ isSystemBot: true });
  });

  it('keeps the keys of an account', async () => {
    const issued = (keyId: number) => of(7, fact(ApiKeyIssued, { userId: id(7), keyId: keyId as KeyId }));
    await test.state(created(7), issued(1), issued(2), issued(3));
    const keyIds = [1 as KeyId, 3 as KeyId];
    await test.state(of(7, fact(ApiKeysRevoked, { userId: id(7), keyIds })));
    expect(await test.rows('api_keys', 'key_id')).toEqual([{ key_id: 2, user_id: 7 }]);
  });
});
