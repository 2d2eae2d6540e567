import { feedReader } from '@annals/kernel';
import type { Fact, Recorded, Role, UserId } from '@annals/kernel/domain';
import { Role as Roles, SYSTEM_GROUPS, fact } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { RealmSettingsChanged, createRealm, realmContext } from '@annals/realm';
import { AccountCreated, Deactivated, FirstLoggedIn, Reactivated, RoleChanged, usersContext } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import { groupsContext } from '../groups.context';
import type { MembersPayload } from './payloads';
import { groupsFeed } from './groups.feed';
import { groupsPresenter } from './groups.presenter';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const id = (user: number) => user as UserId;
const of = (user: number, happened: Fact): [string, Fact] => [`user-${user}`, happened];
const created = (user: number, role: Role, isSystemBot = false) =>
  of(
    user,
    fact(
      AccountCreated,
      {
        userId: id(user),
        role,
        botType: isSystemBot ? 1 : null,
        botOwnerId: null,
        isSystemBot,
        awaitsFirstLogin: true,
        canCreateUsers: false,
        canChangeUserEmails: false,
      },
      { email: `user${user}@zulip.com`, fullName: `User ${user}` },
    ),
  );
const changed = (user: number, from: Role, to: Role, isActive = true) =>
  of(user, fact(RoleChanged, { userId: id(user), from, to, isActive }));
const left = (user: number, role: Role) => of(user, fact(Deactivated, { userId: id(user), role, botOwnerId: null }));
const returned = (user: number, role: Role) =>
  of(user, fact(Reactivated, { userId: id(user), role, botOwnerId: null }));
const waiting = (previous: number, days: number): [string, Fact] => [
  'realm',
  fact(
    RealmSettingsChanged,
    { settings: { waiting_period_threshold: days }, previous: { waiting_period_threshold: previous } },
    {},
  ),
];

const DAY = 24 * 60 * 60 * 1000;

describe('client events of system groups', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel([realmContext, usersContext, groupsContext]);
    const uuid = '00000000-0000-4000-8000-00000000000a';
    const founding = { subdomain: '', uuid, name: 'Meadow', systemGroups: groups, notificationBotId: id(2) };
    await test.state(['realm', createRealm(null, founding)[0]!]);
  });
  afterEach(() => test.close());

  /** Like `+members 7`: the client events after a position, each group by its name. */
  const received = (after = 1): Promise<string[]> =>
    test.kernel.database.snapshot(async (client) => {
      const events = await test.kernel.events.page(REALM, after, 100, client);
      const facts = await groupsFeed.facts?.(feedReader(test.kernel.events, REALM, client), events);
      const translate = (event: Recorded) => groupsFeed.translations.get(event.type)?.(event, facts, events) ?? [];
      return events.flatMap(translate).map(({ payload }) => {
        const { op, groupId, userIds } = payload as MembersPayload;
        const name = SYSTEM_GROUPS.find((one) => groups[one] === groupId);
        return `${op === 'add_members' ? '+' : '-'}${name} ${userIds.join()}`;
      });
    });

  it('add new accounts to the group of their role, and system accounts to none', async () => {
    await test.state(
      created(7, Roles.owner),
      created(8, Roles.member),
      created(9, Roles.guest),
      created(2, Roles.member, true),
    );
    expect(await received()).toEqual(['+owners 7', '+members 8', '+fullmembers 8', '+everyone 9']);
  });

  it('move users between groups with their role', async () => {
    await test.state(created(7, Roles.member), changed(7, Roles.member, Roles.administrator));
    await test.state(changed(7, Roles.administrator, Roles.member), changed(7, Roles.member, Roles.guest));
    expect(await received(2)).toEqual([
      '-members 7',
      '+administrators 7',
      '-fullmembers 7',
      '-administrators 7',
      '+members 7',
      '+fullmembers 7',
      '-members 7',
      '+everyone 7',
      '-fullmembers 7',
    ]);
  });

  it('remove deactivated users, once', async () => {
    await test.state(created(7, Roles.member), left(7, Roles.member), changed(7, Roles.member, Roles.guest, false));
    expect(await received(2)).toEqual(['-members 7', '-fullmembers 7']);
  });

  it('add reactivated users, by their role at that time', async () => {
    const away = [left(7, Roles.member), changed(7, Roles.member, Roles.moderator, false)];
    await test.state(created(7, Roles.member), ...away, returned(7, Roles.moderator));
    expect(await received(2)).toEqual(['-members 7', '-fullmembers 7', '+moderators 7']);
  });

  describe('with a waiting period', () => {
    beforeEach(() => test.state(waiting(0, 3)));

    it('makes new members wait', async () => {
      await test.state(created(7, Roles.member), created(8, Roles.moderator));
      expect(await received(2)).toEqual(['+members 7', '+moderators 8']);
    });

    it('compares the time since joining when a user becomes a member again', async () => {
      await test.state(created(7, Roles.guest));
      test.clock.advance(2 * DAY);
      await test.state(changed(7, Roles.guest, Roles.member), changed(7, Roles.member, Roles.guest));
      test.clock.advance(DAY);
      await test.state(changed(7, Roles.guest, Roles.member), left(7, Roles.member));
      expect(await received(3)).toEqual([
        '-everyone 7',
        '+members 7',
        '-members 7',
        '+everyone 7',
        '-everyone 7',
        '+members 7',
        '+fullmembers 7',
        '-members 7',
        '-fullmembers 7',
      ]);
    });

    it('starts the wait again at a late first login', async () => {
      await test.state(created(7, Roles.member), created(8, Roles.guest));
      test.clock.advance(4 * DAY);
      await test.state(of(7, fact(FirstLoggedIn, { userId: id(7) })), of(8, fact(FirstLoggedIn, { userId: id(8) })));
      expect(await received(4)).toEqual(['-fullmembers 7']);
    });

    it('moves all members at once when it changes', async () => {
      await test.state(created(7, Roles.member), created(8, Roles.member), created(9, Roles.owner));
      await test.state(created(10, Roles.member), left(10, Roles.member));
      test.clock.advance(2 * DAY);
      await test.state(waiting(3, 1), waiting(1, 2), waiting(2, 10));
      expect(await received(7)).toEqual(['+fullmembers 7,8', '-fullmembers 7,8']);
    });
  });

  it('is written in the form of the API', () => {
    const payload: MembersPayload = { op: 'add_members', groupId: groups.moderators, userIds: [id(7)] };
    expect(groupsPresenter.present({ payload } as never, null as never, { capabilities: {} } as never)).toEqual([
      { type: 'user_group', op: 'add_members', group_id: groups.moderators, user_ids: [7] },
    ]);
  });
});
