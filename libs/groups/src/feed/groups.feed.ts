import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, GroupId, Position, Recorded, Role, SystemGroup, UserId } from '@annals/kernel/domain';
import { RealmSettingsChanged } from '@annals/realm';
import { AccountCreated, Deactivated, FirstLoggedIn, Reactivated, RoleChanged } from '@annals/users';
import {
  GroupCreated,
  GroupDeactivated,
  GroupDescribed,
  GroupReactivated,
  GroupRenamed,
  GroupSettingChanged,
  MembersAdded,
  MembersRemoved,
  SubgroupsAdded,
  SubgroupsRemoved,
} from '../domain/events';
import { directSystemGroups } from '../domain/system-groups';
import type { GroupHistory } from '../read/group-history';
import { readGroupHistory } from '../read/group-history';
import type { FullMemberChange } from '../read/full-member-changes';
import { readFullMemberChanges } from '../read/full-member-changes';
import type { GroupPayload, MembersPayload } from './payloads';

interface Facts {
  readonly history: GroupHistory;
  readonly membershipChanges: ReadonlyMap<Position, FullMemberChange>;
}

/**
 * The client events of groups (contract/groups.md section 4), and those of system groups, which follow from roles
 * (contract/users.md section 6).
 */
export const groupsFeed = defineFeed({
  name: 'groups',
  facts: readFacts,
  translations: [
    translate(AccountCreated, (event, { history }: Facts) => {
      const { userId, role, isSystemBot } = event.data;
      return isSystemBot ? [] : move(history, userId, [], placesOf(event, userId, role, history));
    }),
    translate(RoleChanged, (event, { history }: Facts) => {
      const { userId, from, to, isActive } = event.data;
      if (!isActive) return [];
      return move(history, userId, placesOf(event, userId, from, history), placesOf(event, userId, to, history));
    }),
    translate(Deactivated, (event, { history }: Facts) => {
      const { userId, role } = event.data;
      return [
        ...move(history, userId, placesOf(event, userId, role, history), []),
        ...history.directlyWith(userId, event).map((group) => membersEvent('remove_members', group, [userId])),
      ];
    }),
    translate(Reactivated, (event, { history }: Facts) => {
      const { userId, role } = event.data;
      return [
        ...move(history, userId, [], placesOf(event, userId, role, history)),
        ...history.directlyWith(userId, event).map((group) => membersEvent('add_members', group, [userId])),
      ];
    }),
    translate(FirstLoggedIn, fullMembersEvents),
    translate(RealmSettingsChanged, fullMembersEvents),
    translate(GroupCreated, ({ data: { groupId } }) => [groupEvent({ op: 'add', groupId })]),
    translate(GroupRenamed, ({ data }) => [groupEvent({ op: 'rename', ...data })]),
    translate(GroupDescribed, ({ data: { groupId } }) => [groupEvent({ op: 'describe', groupId })]),
    translate(GroupSettingChanged, ({ data: { groupId, setting, value } }) => [
      groupEvent({ op: 'set', groupId, setting, value }),
    ]),
    translate(GroupDeactivated, ({ data: { groupId } }) => [groupEvent({ op: 'deactivate', groupId })]),
    translate(GroupReactivated, ({ data: { groupId } }) => [groupEvent({ op: 'reactivate', groupId })]),
    translate(MembersAdded, ({ data }) => [membersEvent('add_members', data.groupId, data.userIds)]),
    translate(MembersRemoved, ({ data }) => [membersEvent('remove_members', data.groupId, data.userIds)]),
    translate(SubgroupsAdded, ({ data }) => [groupEvent({ op: 'add_subgroups', ...data })]),
    translate(SubgroupsRemoved, ({ data }) => [groupEvent({ op: 'remove_subgroups', ...data })]),
  ],
});

const placesOf = (on: Recorded, userId: UserId, role: Role, history: GroupHistory): readonly SystemGroup[] =>
  directSystemGroups(role, history.isFull({ userId, role }, on));

/** Full members are last, because their group follows from that of their role (contract/users.md section 6). */
function move(
  { systemGroups }: GroupHistory,
  userId: UserId,
  from: readonly SystemGroup[],
  to: readonly SystemGroup[],
): ClientEvent[] {
  const left = from.filter((name) => !to.includes(name)).map((name) => ({ name, op: 'remove_members' as const }));
  const joined = to.filter((name) => !from.includes(name)).map((name) => ({ name, op: 'add_members' as const }));
  const isLast = ({ name }: { readonly name: SystemGroup }) => Number(name === 'fullmembers');
  return [...left, ...joined]
    .sort((one, other) => isLast(one) - isLast(other))
    .map(({ name, op }) => membersEvent(op, systemGroups[name], [userId]));
}

function fullMembersEvents({ position }: Recorded, { history, membershipChanges }: Facts): ClientEvent[] {
  const { became, ceased } = membershipChanges.get(position) ?? { became: [], ceased: [] };
  const { fullmembers } = history.systemGroups;
  return [
    ...(ceased.length > 0 ? [membersEvent('remove_members', fullmembers, ceased)] : []),
    ...(became.length > 0 ? [membersEvent('add_members', fullmembers, became)] : []),
  ];
}

const groupEvent = (payload: GroupPayload): ClientEvent => ({
  type: 'user_group',
  audience: { kind: 'everyone' },
  payload,
});

const membersEvent = (op: MembersPayload['op'], groupId: GroupId, userIds: readonly UserId[]): ClientEvent =>
  groupEvent({ op, groupId, userIds });

async function readFacts(reader: FeedReader, events: readonly Recorded[]): Promise<Facts> {
  const named = events.map(({ data }) => (data as { userId?: UserId }).userId).filter((id) => id !== undefined);
  return {
    history: await readGroupHistory(reader, named),
    membershipChanges: await readFullMemberChanges(reader, events),
  };
}
