import { ROLES, roleName } from '@annals/kernel/domain';
import type { Instant, Position, RealmId, Role, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { UserState } from '../../domain/scim/resource/user-state';
import type { ResourceSql } from './condition-sql';
import { toInt } from './keys';

/** A person as a directory sees it. */
export interface ScimUser extends UserState {
  readonly userId: UserId;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  /** Position of the last event that changed it. */
  readonly version: Position;
}

interface ScimUserRow {
  readonly userId: UserId;
  readonly email: string;
  readonly fullName: string;
  readonly isActive: boolean;
  readonly role: Role;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly version: Position;
  readonly externalId: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly locale: string | null;
  readonly timezone: string | null;
}

const COLUMNS = `u.user_id AS "userId", u.delivery_email AS email, u.full_name AS "fullName", u.is_active AS "isActive", u.role,
  u.created_at AS "createdAt", s.modified_at AS "modifiedAt", s.last_position AS version, s.external_id AS "externalId",
  s.given_name AS "givenName", s.family_name AS "familyName", s.locale, s.timezone`;

/** People whom a directory sees. */
const FROM = `view.users AS u JOIN view.scim_users AS s ON s.realm_id = u.realm_id AND s.user_id = u.user_id`;
const VISIBLE = 'u.realm_id = $1 AND NOT s.is_removed';

const hasParts = '(s.given_name IS NOT NULL OR s.family_name IS NOT NULL)';
const namedRole = `CASE u.role ${ROLES.map((role) => `WHEN ${role} THEN '${roleName(role)}'`).join(' ')} END`;

/** The fields of people. The parts of a name that no directory said are around its first space. */
export const USER_SQL: ResourceSql = {
  fields: {
    id: { value: 'u.user_id::text', index: { column: 'u.user_id', type: 'int8', keyOf: toInt } },
    externalId: {
      value: 's.external_id',
      index: { column: 's.external_id', type: 'text', keyOf: (operand) => (operand === '' ? null : operand) },
    },
    userName: {
      value: 'u.delivery_email',
      index: { column: 'u.email_key', type: 'text', keyOf: (operand) => operand.toLowerCase() },
    },
    displayName: { value: 'u.full_name' },
    'name.formatted': { value: 'u.full_name' },
    'name.givenName': {
      value: `CASE WHEN ${hasParts} THEN s.given_name ELSE split_part(u.full_name, ' ', 1) END`,
    },
    'name.familyName': {
      value: `CASE WHEN ${hasParts} THEN s.family_name
        WHEN strpos(u.full_name, ' ') > 0 THEN substr(u.full_name, strpos(u.full_name, ' ') + 1) END`,
    },
    active: { value: 'u.is_active' },
    role: { value: namedRole },
    locale: { value: 's.locale' },
    timezone: { value: 's.timezone' },
    password: { value: 'NULL' },
    'meta.resourceType': { value: "'User'" },
    'meta.created': { value: 'u.created_at' },
    'meta.lastModified': { value: 's.modified_at' },
    'meta.version': { value: `'W/"' || s.last_position || '"'` },
    'meta.location': { value: 'NULL' },
  },
  elements: {
    schemas: { fields: {}, exists: (condition) => condition },
    roles: {
      fields: { value: { value: namedRole }, primary: { value: 'true' } },
      exists: (condition) => condition,
    },
    emails: {
      fields: { value: { value: 'u.delivery_email' }, type: { value: "'work'" }, primary: { value: 'true' } },
      exists: (condition) => condition,
    },
  },
};

/** A part of the people that meet a condition. */
export interface UserPage {
  /** SQL over `USER_SQL`, with parameters from `$2` on. */
  readonly condition: string;
  readonly values: readonly unknown[];
  readonly order: string;
  readonly offset: number;
  readonly limit: number;
}

/** How many people meet a condition. @param values of its parameters, from `$2` on */
export async function countScimUsers(
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

export async function readScimUserPage(
  client: Pool | ClientBase,
  realmId: RealmId,
  { condition, values, order, offset, limit }: UserPage,
): Promise<ScimUser[]> {
  const { rows } = await client.query<ScimUserRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE ${VISIBLE} AND ${condition} ORDER BY ${order}
      OFFSET ${offset} LIMIT ${limit}`,
    [realmId, ...values],
  );
  return rows.map(userOf);
}

/** Undefined for bots, and for people whom a directory does not see. */
export async function readScimUser(
  client: Pool | ClientBase,
  realmId: RealmId,
  userId: number,
): Promise<ScimUser | undefined> {
  // Not prepared: a plan that was made for few people reads all of them when a directory has sent ten thousand.
  const { rows } = await client.query<ScimUserRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE ${VISIBLE} AND u.user_id = $2::int8`,
    [realmId, userId],
  );
  return rows[0] && userOf(rows[0]);
}

const userOf = (row: ScimUserRow): ScimUser => ({
  userId: row.userId,
  email: row.email,
  fullName: row.fullName,
  isActive: row.isActive,
  role: row.role,
  createdAt: row.createdAt,
  modifiedAt: row.modifiedAt,
  version: row.version,
  description: {
    externalId: row.externalId,
    givenName: row.givenName,
    familyName: row.familyName,
    locale: row.locale,
    timezone: row.timezone,
  },
});
