import type { GroupId, RealmId, Role, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { KnownAccount } from '../../domain/ldap/directory-change';

/** The groups and the fields of an organization that a directory fills, by their names in the settings. */
export interface FilledIds {
  readonly groups: ReadonlyMap<string, GroupId>;
  readonly fields: ReadonlyMap<string, number>;
}

interface AccountRow {
  readonly userId: UserId;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly subject: string | null;
  readonly pictureDigest: string | null;
  readonly isSuspended: boolean;
}

/**
 * All people with accounts, also deactivated ones, but not those whose profile was deleted.
 *
 * @param issuer the directory as an issuer of identities, whose links count
 */
export async function readKnownAccounts(
  pool: Pool,
  realmId: RealmId,
  issuer: string,
  parts: FilledIds,
): Promise<KnownAccount[]> {
  const { rows } = await pool.query<AccountRow>({
    name: 'provisioning-known-accounts',
    text: `SELECT u.user_id AS "userId", u.delivery_email AS email, u.full_name AS "fullName", u.role,
        u.is_active AS "isActive", i.subject, d.picture_digest AS "pictureDigest",
        coalesce(d.is_suspended, false) AS "isSuspended"
      FROM view.users AS u
      LEFT JOIN view.directory_accounts AS d ON d.realm_id = u.realm_id AND d.user_id = u.user_id
      LEFT JOIN view.sign_in_identities AS i
        ON i.realm_id = u.realm_id AND i.user_id = u.user_id AND i.issuer = $2
      WHERE u.realm_id = $1 AND u.bot_type IS NULL AND NOT u.is_system_bot AND NOT u.is_deleted ORDER BY u.user_id`,
    values: [realmId, issuer],
  });
  const groups = await readGroups(pool, realmId, parts.groups);
  const profiles = await readProfiles(pool, realmId, parts.fields);
  return rows.map((row) => ({
    ...row,
    userGroups: new Set(groups.get(row.userId)),
    profile: new Map(profiles.get(row.userId)),
  }));
}

async function readGroups(
  pool: Pool,
  realmId: RealmId,
  groups: ReadonlyMap<string, GroupId>,
): Promise<ReadonlyMap<UserId, readonly string[]>> {
  if (groups.size === 0) return new Map();
  const { rows } = await pool.query<{ userId: UserId; ids: GroupId[] }>({
    name: 'provisioning-members',
    text: `SELECT user_id AS "userId", array_agg(group_id) AS ids FROM view.group_members
      WHERE realm_id = $1 AND group_id = ANY($2::int4[]) AND to_position IS NULL GROUP BY user_id`,
    values: [realmId, [...groups.values()]],
  });
  return new Map(
    rows.map(({ userId, ids }) => [userId, [...groups].filter(([, id]) => ids.includes(id)).map(([name]) => name)]),
  );
}

async function readProfiles(
  pool: Pool,
  realmId: RealmId,
  fields: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<UserId, readonly (readonly [string, string])[]>> {
  if (fields.size === 0) return new Map();
  const { rows } = await pool.query<{ userId: UserId; fieldId: number; value: string }>({
    name: 'provisioning-profiles',
    text: `SELECT user_id AS "userId", field_id AS "fieldId", value FROM view.profile_values
      WHERE realm_id = $1 AND field_id = ANY($2::int8[]) AND value IS NOT NULL`,
    values: [realmId, [...fields.values()]],
  });
  const nameOf = new Map([...fields].map(([name, id]) => [id, name]));
  const profiles = new Map<UserId, (readonly [string, string])[]>();
  for (const { userId, fieldId, value } of rows) {
    const name = nameOf.get(fieldId);
    if (name !== undefined) profiles.set(userId, [...(profiles.get(userId) ?? []), [name, value]]);
  }
  return profiles;
}
