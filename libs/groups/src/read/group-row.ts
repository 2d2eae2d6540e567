import type { GroupId, Instant, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { UserGroupSetting } from '../domain/events';
import type { SystemName } from '../domain/system-groups';

/** A group as it is read, without its members. */
export interface GroupRow {
  readonly groupId: GroupId;
  /** Null for groups that people made. */
  readonly systemName: SystemName | null;
  readonly name: string;
  readonly description: string;
  readonly creatorId: UserId | null;
  readonly createdAt: Instant;
  readonly directSubgroups: readonly GroupId[];
  readonly settings: Readonly<Record<UserGroupSetting, GroupId>>;
  readonly isDeactivated: boolean;
}

type Stored = Omit<GroupRow, 'directSubgroups'> & { readonly directSubgroups: readonly (number | string)[] };

/** All groups of the organization, in the order of their ids. */
export async function readGroups(client: Pool | ClientBase, realmId: RealmId): Promise<GroupRow[]> {
  const { rows } = await client.query<Stored>({
    name: 'groups-all',
    text: `SELECT group_id AS "groupId", system_name AS "systemName", name, description, creator_id AS "creatorId",
        created_at AS "createdAt", direct_subgroups AS "directSubgroups", settings, is_deactivated AS "isDeactivated"
      FROM view.user_groups WHERE realm_id = $1 ORDER BY group_id`,
    values: [realmId],
  });
  return rows.map((row) => ({ ...row, directSubgroups: row.directSubgroups.map((id) => Number(id) as GroupId) }));
}
