import type { GroupId, Instant, SystemGroup, UserId } from '@annals/kernel/domain';
import { ascending, grouped } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { readRoleMembers } from './role-members';
import type { HistoryReader } from './spans';

/** Reads at a time. It is requested only where time makes full members. */
export interface ReaderAt extends HistoryReader {
  readonly at: Instant;
}

/** Without a waiting period, each member is a full member from the start. */
const ALWAYS = Number.MAX_SAFE_INTEGER as Instant;

/** Direct members of every group: active accounts, ascending. A group without any is left out. */
export async function readDirectMembers(reader: ReaderAt): Promise<ReadonlyMap<GroupId, readonly UserId[]>> {
  const { client, realmId } = reader;
  const { systemGroups, waitingPeriod } = await readRules(reader);
  const names = Object.keys(systemGroups) as SystemGroup[];
  const at = waitingPeriod === 0 ? ALWAYS : reader.at;
  const byRole = await readRoleMembers(client, realmId, names, waitingPeriod, at);
  const members = grouped(
    byRole.flatMap(({ userId, groups }) => groups.map((name) => ({ userId, name }))),
    ({ name }) => systemGroups[name],
    ({ userId }) => userId,
  );
  const { rows } = await client.query<{ group: GroupId; users: UserId[] }>({
    name: 'groups-direct-members',
    text: `SELECT m.group_id AS group, array_agg(m.user_id ORDER BY m.user_id) AS users
      FROM view.group_members AS m JOIN view.users AS u ON u.realm_id = m.realm_id AND u.user_id = m.user_id
      WHERE m.realm_id = $1 AND m.to_position IS NULL AND u.is_active GROUP BY m.group_id`,
    values: [realmId],
  });
  for (const { group, users } of rows) members.set(group, users);
  return members;
}

/** Active accounts that are directly in any of these groups, ascending. @param at when, since time makes full members */
export async function readMembersOfAny(
  reader: HistoryReader,
  groups: readonly GroupId[],
  at: Instant,
): Promise<UserId[]> {
  const { client, realmId } = reader;
  const { systemGroups, waitingPeriod } = await readRules(reader);
  const names = (Object.keys(systemGroups) as SystemGroup[]).filter((name) => groups.includes(systemGroups[name]));
  const byRole = await readRoleMembers(client, realmId, names, waitingPeriod, at);
  const { rows } = await client.query<{ user: UserId }>({
    name: 'groups-members-of-any',
    text: `SELECT m.user_id AS user
      FROM view.group_members AS m JOIN view.users AS u ON u.realm_id = m.realm_id AND u.user_id = m.user_id
      WHERE m.realm_id = $1 AND m.group_id = ANY($2::int4[]) AND m.to_position IS NULL AND u.is_active`,
    values: [realmId, groups],
  });
  const users = new Set([...byRole.map(({ userId }) => userId), ...rows.map(({ user }) => user)]);
  return ascending(users);
}

async function readRules({ client, realmId }: HistoryReader) {
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  return { systemGroups: realm.systemGroups, waitingPeriod: realm.settings.waiting_period_threshold };
}
