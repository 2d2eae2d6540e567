import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { ClientEvent, Position, Recorded, Role, UserId } from '@annals/kernel/domain';
import { RealmSettingsChanged } from '@annals/realm';
import { AccountCreated, Deactivated, FirstLoggedIn, RoleChanged } from '@annals/users';
import type { SystemName } from '../domain/system-groups';
import { directSystemGroups } from '../domain/system-groups';
import type { GroupHistory } from '../read/group-history';
import { readGroupHistory } from '../read/group-history';
import type { Regrouping } from '../read/regroupings';
import { readRegroupings } from '../read/regroupings';

/** What `user_group` events carry until they are delivered. */
export type MembersPayload = {
  readonly op: 'add_members' | 'remove_members';
  readonly groupId: number;
  readonly userIds: readonly UserId[];
};

interface Facts {
  readonly history: GroupHistory;
  readonly regroupings: ReadonlyMap<Position, Regrouping>;
}

/** System groups as they follow from roles (contract/users.md section 6): a role change moves people between them. */
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
      return move(history, userId, placesOf(event, userId, role, history), []);
    }),
    translate(FirstLoggedIn, regrouped),
    translate(RealmSettingsChanged, regrouped),
  ],
});

const placesOf = (on: Recorded, userId: UserId, role: Role, history: GroupHistory): readonly SystemName[] =>
  directSystemGroups(role, history.isFull({ userId, role }, on));

function move(
  { systemGroups }: GroupHistory,
  userId: UserId,
  from: readonly SystemName[],
  to: readonly SystemName[],
): ClientEvent[] {
  const left = from.filter((name) => !to.includes(name));
  const joined = to.filter((name) => !from.includes(name));
  return [
    ...left.map((name) => membersEvent('remove_members', systemGroups[name], [userId])),
    ...joined.map((name) => membersEvent('add_members', systemGroups[name], [userId])),
  ];
}

function regrouped({ position }: Recorded, { history, regroupings }: Facts): ClientEvent[] {
  const { became, ceased } = regroupings.get(position) ?? { became: [], ceased: [] };
  const { fullmembers } = history.systemGroups;
  return [
    ...(ceased.length > 0 ? [membersEvent('remove_members', fullmembers, ceased)] : []),
    ...(became.length > 0 ? [membersEvent('add_members', fullmembers, became)] : []),
  ];
}

const membersEvent = (op: MembersPayload['op'], groupId: number, userIds: readonly UserId[]): ClientEvent => ({
  type: 'user_group',
  audience: { kind: 'everyone' },
  payload: { op, groupId, userIds } satisfies MembersPayload,
});

async function readFacts(reader: FeedReader, events: readonly Recorded[]): Promise<Facts> {
  const named = events.map(({ data }) => (data as { userId?: UserId }).userId).filter((id) => id !== undefined);
  return { history: await readGroupHistory(reader, named), regroupings: await readRegroupings(reader, events) };
}
