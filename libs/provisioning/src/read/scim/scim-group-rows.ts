import type { GroupId, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { MAX_LISTED_MEMBERS, groupsInPage } from '../../domain/scim/list-request';
import type { ResourceSql } from './condition-sql';
import { toInt } from './keys';

/** A group as a directory sees it. */
export interface ScimGroup {
  readonly groupId: GroupId;
  readonly name: string;
  readonly externalId: string | null;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  /** Position of the last event that changed it. */
  readonly version: Position;
  /** People, ascending. Null if nobody asked for them. */
  readonly members: readonly UserId[] | null;
}

type ScimGroupRow = Omit<ScimGroup, 'members'>;

/** The last change of a group or of whether a directory sees a member. @param column of both tables that grows with positions */
const latest = (
  column: 'modified_at' | 'last_position',
) => `greatest(s.${column}, (SELECT v.${column} FROM view.scim_members AS v
  WHERE v.realm_id = g.realm_id AND v.group_id = g.group_id ORDER BY v.last_position DESC LIMIT 1))`;
const VERSION = latest('last_position');
const MODIFIED_AT = latest('modified_at');

const COLUMNS = `g.group_id AS "groupId", g.name, s.external_id AS "externalId", g.created_at AS "createdAt",
  ${MODIFIED_AT} AS "modifiedAt", ${VERSION} AS version`;

const FROM = `view.user_groups AS g JOIN view.scim_groups AS s ON s.realm_id = g.realm_id AND s.group_id = g.group_id`;
/** System groups are not in `scim_groups`. */
const VISIBLE = 'g.realm_id = $1 AND NOT g.is_deactivated';

/** People of a group whom a directory sees. */
const MEMBERS = `view.group_members AS m JOIN view.scim_users AS p ON p.realm_id = m.realm_id AND p.user_id = m.user_id`;
const IS_MEMBER = 'm.to_position IS NULL AND NOT p.is_removed';

export const GROUP_SQL: ResourceSql = {
  fields: {
    id: { value: 'g.group_id::text', index: { column: 'g.group_id', type: 'int8', keyOf: toInt } },
    externalId: {
      value: 's.external_id',
      index: { column: 's.external_id', type: 'text', keyOf: (operand) => (operand === '' ? null : operand) },
    },
    displayName: { value: 'g.name' },
    'meta.resourceType': { value: "'Group'" },
    'meta.created': { value: 'g.created_at' },
    'meta.lastModified': { value: MODIFIED_AT },
    'meta.version': { value: `'W/"' || ${VERSION} || '"'` },
    'meta.location': { value: 'NULL' },
  },
  elements: {
    schemas: { fields: {}, exists: (condition) => condition },
    members: {
      fields: {
        value: { value: 'm.user_id::text', index: { column: 'm.user_id', type: 'int8', keyOf: toInt } },
        type: { value: "'User'" },
        $ref: { value: 'NULL' },
      },
      exists: (condition) => `EXISTS (SELECT FROM ${MEMBERS}
        WHERE m.realm_id = g.realm_id AND m.group_id = g.group_id AND ${IS_MEMBER} AND ${condition})`,
    },
  },
};

/** A part of the groups that meet a condition. */
export interface GroupPage {
  /** SQL over `GROUP_SQL`, with parameters from `$2` on. */
  readonly condition: string;
  readonly values: readonly unknown[];
  readonly order: string;
  readonly offset: number;
  readonly limit: number;
  readonly withMembers: boolean;
}

/** How many groups meet a condition. @param values of its parameters, from `$2` on */
export async function countScimGroups(
  client: Pool | ClientBase,
  realmId: RealmId,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${FROM} WHERE ${VISIBLE} AND ${condition}`,
    [realmId, ...values],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Three statements, however many groups there are. A page whose groups have very many members has fewer groups than the request
 * permits, and the client asks for the next one.
 */
export async function readScimGroupPage(
  client: Pool | ClientBase,
  realmId: RealmId,
  { condition, values, order, offset, limit, withMembers }: GroupPage,
): Promise<ScimGroup[]> {
  const { rows } = await client.query<ScimGroupRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE ${VISIBLE} AND ${condition} ORDER BY ${order}
      OFFSET ${offset} LIMIT ${limit}`,
    [realmId, ...values],
  );
  const page = withMembers ? await firstOf(client, realmId, rows) : rows;
  return withMembersOf(client, realmId, page, withMembers);
}

/** The groups from the first one on that have at most `MAX_LISTED_MEMBERS` members together, and at least one group. */
async function firstOf(client: Pool | ClientBase, realmId: RealmId, groups: readonly ScimGroupRow[]) {
  const { rows } = await client.query<{ group: GroupId; members: number }>({
    name: 'scim-sizes',
    text: `SELECT wanted.id AS group, (SELECT count(*)::int4 FROM (SELECT FROM ${MEMBERS}
        WHERE m.realm_id = $1 AND m.group_id = wanted.id AND ${IS_MEMBER} LIMIT $3) AS listed) AS members
      FROM unnest($2::int4[]) AS wanted (id)`,
    values: [realmId, groups.map(({ groupId }) => groupId), MAX_LISTED_MEMBERS],
  });
  const sizes = new Map(rows.map(({ group, members }) => [group, members]));
  return groups.slice(0, groupsInPage(groups.map(({ groupId }) => sizes.get(groupId) ?? 0)));
}

/** Undefined for system groups, and for deactivated ones. */
export async function readScimGroup(
  client: Pool | ClientBase,
  realmId: RealmId,
  groupId: number,
  withMembers: boolean,
): Promise<ScimGroup | undefined> {
  const { rows } = await client.query<ScimGroupRow>({
    name: 'scim-group',
    text: `SELECT ${COLUMNS} FROM ${FROM} WHERE ${VISIBLE} AND g.group_id = $2::int4`,
    values: [realmId, groupId],
  });
  return (await withMembersOf(client, realmId, rows, withMembers))[0];
}

/** Those of some users whom a directory sees (true), or saw until it deleted them (false). */
export async function readKnown(
  client: Pool | ClientBase,
  realmId: RealmId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, boolean>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await client.query<{ user: UserId; isSeen: boolean }>({
    name: 'scim-known',
    text: `SELECT p.user_id AS user, NOT p.is_removed AS "isSeen" FROM view.scim_users AS p
      WHERE p.realm_id = $1 AND p.user_id = ANY($2::int8[])`,
    values: [realmId, userIds],
  });
  return new Map(rows.map(({ user, isSeen }) => [user, isSeen]));
}

/** The group with exactly this name, also a deactivated one. */
export async function readGroupNamed(
  client: Pool | ClientBase,
  realmId: RealmId,
  name: string,
): Promise<{ readonly groupId: GroupId; readonly isRemoved: boolean } | undefined> {
  const { rows } = await client.query<{ groupId: GroupId; isRemoved: boolean }>({
    name: 'scim-group-by-name',
    text: `SELECT g.group_id AS "groupId", coalesce(s.is_removed, false) AS "isRemoved" FROM view.user_groups AS g
      LEFT JOIN view.scim_groups AS s ON s.realm_id = g.realm_id AND s.group_id = g.group_id
      WHERE g.realm_id = $1 AND g.name = $2`,
    values: [realmId, name],
  });
  return rows[0];
}

async function withMembersOf(
  client: Pool | ClientBase,
  realmId: RealmId,
  groups: readonly ScimGroupRow[],
  withMembers: boolean,
): Promise<ScimGroup[]> {
  if (!withMembers || groups.length === 0) return groups.map((group) => ({ ...group, members: null }));
  const { rows } = await client.query<{ group: GroupId; user: UserId }>({
    name: 'scim-members',
    text: `SELECT m.group_id AS group, m.user_id AS user FROM ${MEMBERS}
      WHERE m.realm_id = $1 AND m.group_id = ANY($2::int4[]) AND ${IS_MEMBER} ORDER BY m.user_id`,
    values: [realmId, groups.map(({ groupId }) => groupId)],
  });
  const members = grouped(
    rows,
    ({ group }) => group,
    ({ user }) => user,
  );
  return groups.map((group) => ({ ...group, members: members.get(group.groupId) ?? [] }));
}
