import type { GroupId, Instant, RealmId, SystemGroup, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { UserGroupSettings } from '../domain/events';
import { USER_GROUP_SETTINGS } from '../domain/events';

/** A group in the read model, without its members. */
export interface GroupRow {
  readonly groupId: GroupId;
  /** Null for groups that users created. */
  readonly systemName: SystemGroup | null;
  readonly name: string;
  readonly description: string;
  readonly creatorId: UserId | null;
  readonly createdAt: Instant;
  /** Ascending. */
  readonly directSubgroups: readonly GroupId[];
  readonly settings: UserGroupSettings;
  readonly isDeactivated: boolean;
}

const SETTINGS = USER_GROUP_SETTINGS.map((name) => `'${name}', g.${name}`).join(', ');

/** All groups of the organization, in the order of their ids. */
export async function readGroups(client: Pool | ClientBase, realmId: RealmId): Promise<GroupRow[]> {
  const { rows } = await client.query<GroupRow>({
    name: 'groups-all',
    text: `SELECT g.group_id AS "groupId", g.system_name AS "systemName", g.name, g.description,
        g.creator_id AS "creatorId", g.created_at AS "createdAt", g.is_deactivated AS "isDeactivated",
        ARRAY(SELECT s.subgroup_id FROM view.group_subgroups AS s WHERE s.realm_id = g.realm_id
          AND s.group_id = g.group_id AND s.to_position IS NULL ORDER BY s.subgroup_id) AS "directSubgroups",
        jsonb_build_object(${SETTINGS}) AS settings
      FROM view.user_groups AS g WHERE g.realm_id = $1 ORDER BY g.group_id`,
    values: [realmId],
  });
  return rows;
}
