import type { DueSearch } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { OrganizationLimits } from '../../domain/organization/limits';
import { NO_LIMITS } from '../../domain/organization/limits';

/** Where an organization is, and what it may use. */
export interface OrganizationRow {
  readonly subdomain: string;
  readonly hosts: readonly string[];
  readonly limits: OrganizationLimits;
}

type Stored = Omit<OrganizationRow, 'limits'> & { readonly limits: Partial<OrganizationLimits> | null };

/** @returns undefined when there is no such organization */
export async function readOrganization(
  client: Pool | ClientBase,
  realmId: RealmId,
): Promise<OrganizationRow | undefined> {
  const { rows } = await client.query<Stored>({
    name: 'organization-row',
    text: `SELECT s.subdomain,
        ARRAY(SELECT h.host FROM view.organization_hosts AS h WHERE h.realm_id = s.realm_id
          ORDER BY h.last_position) AS hosts,
        (SELECT jsonb_object_agg(l.name, l.value) FROM view.organization_limits AS l
          WHERE l.realm_id = s.realm_id) AS limits
      FROM view.organization_subdomains AS s WHERE s.realm_id = $1 AND s.to_position IS NULL`,
    values: [realmId],
  });
  const [row] = rows;
  return row && { ...row, limits: { ...NO_LIMITS, ...row.limits } };
}

/**
 * A condition in SQL for queries over organizations: nobody has deactivated this one, and it is not being deleted. Workers do
 * nothing for one that is deactivated, and continue when it is active again.
 *
 * @param realmId expression for the organization
 */
export const isActiveSql = (realmId: string): string =>
  `(NOT EXISTS (SELECT FROM view.closed_organizations AS closed WHERE closed.realm_id = ${realmId})
    AND ${isThereSql(realmId)})`;

/** A condition in SQL: the deletion of the organization has not begun. From then on its tables become empty one by one. */
export const isThereSql = (realmId: string): string =>
  `NOT EXISTS (SELECT FROM deleted_realms AS gone WHERE gone.realm_id = ${realmId})`;

/**
 * Finds the active organizations that have rows with work.
 *
 * @param name of the search
 * @param table of the rows
 * @param isDue condition in SQL for a row `t`, in which `$1` is the current time in ms
 */
export const realmsWithDue = (name: string, table: string, isDue: string): DueSearch => ({
  name,
  sql: `SELECT h.realm_id AS id FROM realm_heads AS h WHERE EXISTS (SELECT FROM ${table} AS t
    WHERE t.realm_id = h.realm_id AND ${isDue}) AND ${isActiveSql('h.realm_id')}`,
});
