import type { Fact, GroupId, Instant, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS, fact } from '@annals/kernel/domain';
import type { SystemGroups } from '@annals/realm';
import { RealmSettingsChanged, createRealm, realmContext } from '@annals/realm';
import { AccountCreated, Deactivated, usersContext } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import {
  GroupCreated,
  GroupDeactivated,
  GroupDescribed,
  GroupRenamed,
  GroupSettingChanged,
  MembersAdded,
  MembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
} from '../domain/events';
import { initialGroupSettings } from '../domain/settings';
import { createSystemGroups } from '../domain/system-groups';
import { groupsContext } from '../groups.context';
import { GroupFacts } from './group-facts';
import { listGroups } from './list-groups';
import { presentGroup } from './present-group';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const DAY = 24 * 60 * 60 * 1000;
const created = (user: number, role: Role, isSystemBot = false) =>
  [
    `user-${user}`,
    fact(
      AccountCreated,
      {
        userId: user as UserId,
        role,
        botType: isSystemBot ? 1 : null,
        botOwnerId: null,
        isSystemBot,
        awaitsFirstLogin: false,
        canCreateUsers: false,
        canChangeUserEmails: false,
      },
      { email: `user${user}@zulip.com`, fullName: `User ${user}` },
    ),
  ] as const;

describe('the read model of groups', () => {
  let test: TestKernel;
  beforeAll(async () => {
    test = await openTestKernel([realmContext, usersContext, groupsContext]);
    const uuid = '00000000-0000-4000-8000-00000000000a';
    const founding = { subdomain: '', uuid, name: 'Meadow', systemGroups: groups, notificationBotId: 2 as UserId };
    await test.state(
      ['realm', createRealm(null, founding)[0]!],
      ...createSystemGroups(groups).map((group) => [`group-${group.data.groupId}`, group] as const),
    );
    await test.state(
      created(2, Role.member, true),
      created(11, Role.owner),
      created(12, Role.administrator),
      created(13, Role.moderator),
      created(15, Role.member),
      created(14, Role.member),
      created(16, Role.guest),
      created(17, Role.guest),
    );
    await test.state(['user-17', fact(Deactivated, { userId: 17 as UserId, role: Role.guest, botOwnerId: null })]);
  });
  afterAll(() => test.close());

  const members = async (at: number) => {
    const listed = await test.kernel.database.snapshot((client) =>
      listGroups({ client, realmId: REALM, at: at as Instant }, false),
    );
    return Object.fromEntries(listed.map((one) => [one.group.name, one.members]));
  };

  it('lists the system groups in order with the members by role', async () => {
    expect(await members(test.clock.now())).toEqual({
      'role:nobody': [],
      'role:owners': [11],
      'role:administrators': [12],
      'role:moderators': [13],
      'role:fullmembers': [14, 15],
      'role:members': [14, 15],
      'role:everyone': [16],
      'role:internet': [],
    });
  });

  it('applies the waiting period to new members', async () => {
    const settings = { waiting_period_threshold: 3 };
    await test.state(['realm', fact(RealmSettingsChanged, { settings, previous: {} }, {})]);
    const joined = test.clock.now();
    expect((await members(joined + 3 * DAY - 1))['role:fullmembers']).toEqual([]);
    expect((await members(joined + 3 * DAY))['role:fullmembers']).toEqual([14, 15]);
  });

  it('shows a group as the API does', async () => {
    const [, owners] = await test.kernel.database.snapshot((client) =>
      listGroups({ client, realmId: REALM, at: test.clock.now() }, true),
    );
    expect(owners && presentGroup(owners)).toEqual({
      id: groups.owners,
      name: 'role:owners',
      description: 'Owners of this organization',
      date_created: Date.UTC(2026, 0, 1) / 1000,
      creator_id: null,
      members: [11],
      direct_subgroup_ids: [],
      is_system_group: true,
      deactivated: false,
      can_add_members_group: groups.nobody,
      can_join_group: groups.nobody,
      can_leave_group: groups.nobody,
      can_manage_group: groups.nobody,
      can_mention_group: groups.nobody,
      can_remove_members_group: groups.nobody,
    });
  });

  it('returns all of them by id', async () => {
    const known = await new GroupFacts(test.kernel).of(REALM);
    expect(known.size).toBe(8);
    expect(known.get(groups.everyone)).toMatchObject({ systemName: 'everyone', directSubgroups: [groups.members] });
  });

  it('keeps spans of members and subgroups of groups', async () => {
    const [group, part] = [20 as GroupId, 21 as GroupId];
    const creator = 14 as UserId;
    const made = (groupId: GroupId, name: string) =>
      fact(
        GroupCreated,
        { groupId, creatorId: creator, settings: initialGroupSettings(groups, creator), memberIds: [creator] },
        { name, description: 'old' },
      );
    const of = (one: Fact): [string, Fact] => [`group-${group}`, one];
    const people = { groupId: group, userIds: [11, 17] as UserId[] };
    const nested = { groupId: group, subgroupIds: [part] };
    await test.state(of(made(group, 'bakers')), [`group-${part}`, made(part, 'night shift')]);
    await test.state(of(fact(MembersAdded, people)), ['group-graph', fact(SubgroupsAdded, nested)]);
    await test.state(of(fact(MembersRemoved, people)), ['group-graph', fact(SubgroupsRemoved, nested)]);
    await test.state(of(fact(MembersAdded, people)), ['group-graph', fact(SubgroupsAdded, nested)]);
    await test.state(
      of(fact(GroupRenamed, { groupId: group, isDeactivated: false }, { name: 'cooks' })),
      of(fact(GroupDescribed, { groupId: group }, { description: 'new' })),
      of(
        fact(GroupSettingChanged, { groupId: group, setting: 'can_join_group', value: part, previous: groups.nobody }),
      ),
      of(fact(GroupDeactivated, { groupId: group })),
    );
    const spans = (await test.rows('group_members', 'user_id, from_position')).filter(
      (row) => row['group_id'] === group,
    );
    const start = Math.min(...spans.map((row) => row['from_position'] as number));
    const span = (user_id: number, from: number, to: number | null) => ({
      group_id: group,
      user_id,
      from_position: start + from,
      to_position: to === null ? null : start + to,
    });
    expect(spans).toEqual([span(11, 2, 4), span(11, 6, null), span(14, 0, null), span(17, 2, 4), span(17, 6, null)]);
    const shown = await test.kernel.database.snapshot((client) =>
      listGroups({ client, realmId: REALM, at: test.clock.now() }, true),
    );
    expect(shown.find((one) => one.group.groupId === group)).toMatchObject({
      // 17 has left.
      members: [11, 14],
      group: {
        name: 'cooks',
        description: 'new',
        creatorId: creator,
        directSubgroups: [part],
        isDeactivated: true,
        settings: { can_join_group: part, can_manage_group: { directMembers: [creator], directSubgroups: [] } },
      },
    });
  });
});
