import type { Kernel } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { OrganizationLimits } from '@annals/realm';
import { isThereSql } from '@annals/realm';

/** An organization as the operator sees it. */
export interface OrganizationSummary {
  readonly id: RealmId;
  readonly name: string;
  /** Empty for the one at the server's own host name. */
  readonly subdomain: string;
  readonly hosts: readonly string[];
  readonly createdAt: Instant;
  /** Null while it can be used. */
  readonly deactivatedAt: Instant | null;
  readonly deleteAt: Instant | null;
  /** Active accounts of people. */
  readonly people: number;
  readonly messages: number;
  /** Bytes of uploaded files. */
  readonly storage: number;
  readonly limits: Partial<OrganizationLimits>;
}

const SUMMARY = `SELECT r.realm_id AS id, s.subdomain, r.created_at AS "createdAt",
    coalesce((SELECT x.value FROM view.realm_texts AS x WHERE x.realm_id = r.realm_id AND x.name = 'name'), '') AS name,
    ARRAY(SELECT h.host FROM view.organization_hosts AS h WHERE h.realm_id = r.realm_id ORDER BY h.last_position) AS hosts,
    c.closed_at AS "deactivatedAt", c.delete_at AS "deleteAt",
    (SELECT count(*)::int8 FROM view.users AS u
      WHERE u.realm_id = r.realm_id AND u.is_active AND u.bot_type IS NULL) AS people,
    (SELECT count(*)::int8 FROM view.messages AS m WHERE m.realm_id = r.realm_id) AS messages,
    coalesce((SELECT f.used FROM view.upload_space AS f
      WHERE f.realm_id = r.realm_id AND f.scope = 'files'), 0) AS storage,
    coalesce((SELECT jsonb_object_agg(l.name, l.value) FROM view.organization_limits AS l
      WHERE l.realm_id = r.realm_id), '{}') AS limits
  FROM view.realms AS r
  JOIN view.organization_subdomains AS s ON s.realm_id = r.realm_id AND s.to_position IS NULL
  LEFT JOIN view.closed_organizations AS c ON c.realm_id = r.realm_id
  WHERE ${isThereSql('r.realm_id')}`;

/** All organizations, the oldest first. */
export async function listOrganizations({ database }: Kernel): Promise<OrganizationSummary[]> {
  return (await database.pool.query<OrganizationSummary>(`${SUMMARY} ORDER BY r.realm_id`)).rows;
}

/** The organization at a subdomain. @returns undefined when there is none */
export async function organizationAt(
  { database }: Kernel,
  subdomain: string,
): Promise<OrganizationSummary | undefined> {
  return (await database.pool.query<OrganizationSummary>(`${SUMMARY} AND s.subdomain = $1`, [subdomain])).rows[0];
}

/**
 * The organization that an operator names: by its subdomain, by a host name of its own, or by its number.
 *
 * @returns undefined when there is none
 * @throws Error when the name is the subdomain of one and the number of another one
 */
export async function findOrganization({ database }: Kernel, named: string): Promise<OrganizationSummary | undefined> {
  const { rows } = await database.pool.query<OrganizationSummary>(
    `${SUMMARY} AND (s.subdomain = $1 OR r.realm_id::text = $1 OR EXISTS (SELECT FROM view.organization_hosts AS h
       WHERE h.realm_id = r.realm_id AND h.host = $1))`,
    [named],
  );
  if (rows.length > 1)
    throw new Error(`${named} means two organizations. Give the host name of the one that you mean.`);
  return rows[0];
}
