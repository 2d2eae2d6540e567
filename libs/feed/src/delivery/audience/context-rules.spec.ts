import { feedReader } from '@annals/kernel';
import type { ChannelId, Fact, GroupId, GroupSetting, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { Role, SYSTEM_GROUPS, fact } from '@annals/kernel/domain';
import { ChannelCreated, channelsContext, firstChannel } from '@annals/channels';
import { filesContext } from '@annals/files';
import { GroupCreated, MembersAdded, MembersRemoved, SubgroupsAdded, groupsContext } from '@annals/groups';
import type { SystemGroups } from '@annals/realm';
import { RealmSettingsChanged, createRealm, realmContext } from '@annals/realm';
import { AccountCreated, FirstLoggedIn, usersContext } from '@annals/users';
import { messagesContext } from '@annals/messages';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import type { LoadedRules } from './audience-rules';
import { ContextRules } from './context-rules';

const groups = Object.fromEntries(SYSTEM_GROUPS.map((name, n) => [name, n + 1])) as unknown as SystemGroups;
const user = (id: number) => id as UserId;
const channel = (id: number) => id as ChannelId;
const DAY = 24 * 60 * 60 * 1000;

const account = (id: number, role: Role): [string, Fact] => [
  `user-${id}`,
  fact(
    AccountCreated,
    {
      userId: user(id),
      role,
      botType: null,
      botOwnerId: null,
      isSystemBot: false,
      awaitsFirstLogin: true,
      canCreateUsers: false,
      canChangeUserEmails: false,
    },
    { email: `user${id}@zulip.com`, fullName: `User ${id}` },
  ),
];

/** A private channel that these users may subscribe themselves to, so they know of it. */
const privateChannel = (id: number, can_subscribe_group: GroupSetting): [string, Fact] => {
  const { data, sealed } = firstChannel(channel(id), { name: `channel ${id}`, description: '' }, groups);
  const settings = { ...data.settings, can_subscribe_group };
  const hidden = { ...data, inviteOnly: true, historyPublicToSubscribers: false, isDefault: false, settings };
  return [`channel-${id}`, fact(ChannelCreated, hidden, sealed)];
};
const publicChannel = (id: number): [string, Fact] => {
  const { data, sealed } = firstChannel(channel(id), { name: `channel ${id}`, description: '' }, groups);
  return [`channel-${id}`, fact(ChannelCreated, data, sealed)];
};
const waiting = (previous: number, days: number): [string, Fact] => [
  'realm',
  fact(
    RealmSettingsChanged,
    { settings: { waiting_period_threshold: days }, previous: { waiting_period_threshold: previous } },
    {},
  ),
];

const uuid = '00000000-0000-4000-8000-00000000000a';
const founding = { subdomain: '', uuid, name: 'Meadow', systemGroups: groups, notificationBotId: user(2) };

describe('which users know of channels and are in groups', () => {
  let test: TestKernel;
  let rules: LoadedRules;
  beforeEach(async () => {
    test = await openTestKernel([
      realmContext,
      usersContext,
      groupsContext,
      channelsContext,
      filesContext,
      messagesContext,
    ]);
    for (const created of createRealm(null, founding)) await test.state(['realm', created]);
  });
  afterEach(() => test.close());

  /** Events by position. The rules are loaded for users and channels 1 to 9. */
  async function given(...happened: (readonly [string, Fact])[]): Promise<Position> {
    await test.state(...happened);
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    await test.kernel.database.snapshot(async (client) => {
      const access = new Set(all.map(channel));
      const asked = {
        users: all.map(user),
        first: 0 as Position,
        access,
        privacy: new Set<ChannelId>(),
        groups: new Set([groups.fullmembers]),
      };
      rules = await new ContextRules().load(feedReader(test.kernel.events, REALM, client), asked);
    });
    return (await test.kernel.events.heads([REALM])).get(REALM) ?? (0 as Position);
  }
  const moment = (position: number, at: Instant = test.clock.now()) => ({ position: position as Position, at });
  const knows = (id: number, role: Role, on: ReturnType<typeof moment>, isMember = false) =>
    rules.mayKnow(channel(id), { userId: user(7), role }, isMember, on);

  it('public channels are known to all but guests, and to subscribed guests', async () => {
    const now = moment(await given(account(7, Role.guest), publicChannel(1)));
    expect([knows(1, Role.member, now), knows(1, Role.guest, now), knows(1, Role.guest, now, true)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(rules.isPublic(channel(1), now)).toBe(true);
  });

  it('private channels are known to subscribers, administrators and those in their groups', async () => {
    const now = moment(await given(account(7, Role.member), privateChannel(1, groups.moderators)));
    expect(rules.isPublic(channel(1), now)).toBe(false);
    expect([knows(1, Role.member, now, true), knows(1, Role.member, now)]).toEqual([true, false]);
    expect([knows(1, Role.administrator, now), knows(1, Role.moderator, now)]).toEqual([true, true]);
    const named = { directMembers: [user(7)], directSubgroups: [] };
    await given(privateChannel(3, named));
    const then = moment(now.position + 1);
    expect([knows(3, Role.member, then), knows(3, Role.guest, then)]).toEqual([true, false]);
    expect(rules.maySeeSubscribers(channel(3), { userId: user(7), role: Role.member }, false, then)).toBe(true);
  });

  it('no user knows of a channel before it exists', async () => {
    const position = await given(account(7, Role.member), publicChannel(1));
    expect(knows(1, Role.owner, moment(position - 1), true)).toBe(false);
    expect(rules.isPublic(channel(1), moment(position - 1))).toBe(false);
  });

  it('full members are users who had waited for the waiting period of that time', async () => {
    const start = test.clock.now();
    const isFull = (on: ReturnType<typeof moment>, role: Role = Role.member) =>
      rules.isInGroup(groups.fullmembers, { userId: user(7), role }, on);
    const before = await given(account(7, Role.member));
    const after = await given(waiting(0, 3));
    expect([isFull(moment(before)), isFull(moment(after))]).toEqual([true, false]);
    expect(isFull(moment(after), Role.moderator)).toBe(true);
    expect(isFull(moment(after, (start + 3 * DAY) as Instant))).toBe(true);
    test.clock.advance(4 * DAY);
    const login = await given(['user-7', fact(FirstLoggedIn, { userId: user(7) })]);
    expect(isFull(moment(login))).toBe(false);
    expect(isFull(moment(after, (start + 3 * DAY) as Instant))).toBe(true);
  });

  it('the members of a user group, through groups in it, are known for each position', async () => {
    const [outer, inner] = [20, 21] as GroupId[] as [GroupId, GroupId];
    const made = (groupId: GroupId): [string, Fact] => {
      const settings = {
        can_add_members_group: groups.nobody,
        can_join_group: groups.nobody,
        can_leave_group: groups.nobody,
        can_manage_group: groups.nobody,
        can_mention_group: groups.nobody,
        can_remove_members_group: groups.nobody,
      };
      const data = { groupId, creatorId: user(7), settings, memberIds: [] };
      return [`group-${groupId}`, fact(GroupCreated, data, { name: `group ${groupId}`, description: '' })];
    };
    const member = { groupId: inner, userIds: [user(7)] };
    const nested = { groupId: outer, subgroupIds: [inner] };
    await given(account(7, Role.member), made(outer), made(inner), privateChannel(1, outer));
    const entered = await given([`group-${inner}`, fact(MembersAdded, member)]);
    const put = await given(['group-graph', fact(SubgroupsAdded, nested)]);
    const left = await given([`group-${inner}`, fact(MembersRemoved, member)]);
    const isIn = (group: GroupId, position: number) =>
      rules.isInGroup(group, { userId: user(7), role: Role.member }, moment(position));
    expect([entered - 1, entered, put, left].map((at) => isIn(inner, at))).toEqual([false, true, true, false]);
    expect([entered - 1, entered, put, left].map((at) => isIn(outer, at))).toEqual([false, false, true, false]);
    expect([entered, put, left].map((at) => knows(1, Role.member, moment(at)))).toEqual([false, true, false]);
    expect(knows(1, Role.guest, moment(put))).toBe(false);
  });

  it('realms do not see each other', async () => {
    const position = await given(account(7, Role.member), publicChannel(1));
    const other = 2 as RealmId;
    const [founded] = createRealm(null, { ...founding, uuid: '00000000-0000-4000-8000-00000000000b' });
    if (!founded) throw new Error('no organization is founded');
    const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
    const opening = { realmId: other, userId: null, origin };
    await test.kernel.work.run(opening, async (work) => work.append('realm', [founded]), { opensRealm: true });
    const asked = {
      users: [user(7)],
      first: 0 as Position,
      access: new Set([channel(1)]),
      privacy: new Set<ChannelId>(),
      groups: new Set<never>(),
    };
    await test.kernel.database.snapshot(async (client) => {
      rules = await new ContextRules().load(feedReader(test.kernel.events, other, client), asked);
    });
    expect(knows(1, Role.owner, moment(position), true)).toBe(false);
  });
});
