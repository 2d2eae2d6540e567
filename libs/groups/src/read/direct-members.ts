import type { GroupId, Instant, UserId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { readRoleMembers } from './role-members';
import type { HistoryReader } from './spans';

/** Direct members of each group: active accounts, ascending; a group without any is left out. */
export type DirectMembers = ReadonlyMap<GroupId, readonly UserId[]>;

/** @param at when, since time makes full members */
export async function readDirectMembers({ client, realmId }: HistoryReader, at: Instant): Promise<DirectMembers> {
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const byRole = await readRoleMembers(client, realmId, realm.settings.waiting_period_threshold, at);
  const { rows } = await client.query<{ group: GroupId; users: UserId[] }>({
    name: 'groups-direct-members',
    text: `SELECT m.group_id AS group, array_agg(m.user_id ORDER BY m.user_id) AS users
      FROM view.group_members AS m JOIN view.users AS u ON u.realm_id = m.realm_id AND u.user_id = m.user_id
      WHERE m.realm_id = $1 AND m.to_position IS NULL AND u.is_active GROUP BY m.group_id`,
    values: [realmId],
  });
  return new Map([
    ...[...byRole].map(([name, users]) => [realm.systemGroups[name], users] as const),
    ...rows.map(({ group, users }) => [group, users] as const),
  ]);
}
