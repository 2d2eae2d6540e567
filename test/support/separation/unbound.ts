import type { Pool } from 'pg';
import { plainOf, tablesOfOrganizations, unboundTables } from './statements';

/** Statements about all organizations: only the server itself gets what they find. */
const OF_ALL: readonly RegExp[] = [
  // In which of them something is due, and what, each row with its organization.
  /^SELECT \d+ AS search, d\.id FROM \(SELECT /,
  /^SELECT DISTINCT realm_id AS "realmId", position FROM erasure_orders WHERE ordered_at <= /,
  /^SELECT realm_id AS "realmId", .* FROM disowned_messages ORDER BY realm_id/,
  /^SELECT realm_id AS "realmId", .* FROM registrations WHERE expires_at <= /,
  /^SELECT c\.realm_id AS id FROM closed_organizations AS c WHERE c\.delete_at <= /,
  /^SELECT realm_id AS "realmId", .* FROM deleted_realms WHERE emptied_at IS NULL/,
  /^SELECT (?:DISTINCT |w\.)realm_id AS .* FROM consumer_webhooks UNION ALL SELECT .* FROM consumer_sinks\) AS w/,
  /^SELECT realm_id AS id FROM deleted_realms$/,
  /^DELETE FROM password_reset_requests WHERE at < \$1$/,
  // The pasts that are built.
  /^SELECT realm_id AS "realmId", .* FROM pasts ORDER BY realm_id/,
  // How far all logs are.
  /^SELECT realm_id, position, .* FROM realm_heads CROSS JOIN installation AS i$/,
  // The health of the server, and whether a spec has to wait.
  /^SELECT realm_id AS "realmId", .* FROM parked_events ORDER BY projection/,
  /^SELECT FROM push_errands WHERE given_up IS NULL$/,
  // Whose address a host name is.
  / FROM organization_hosts AS h WHERE h\.host = /,
  / FROM organization_subdomains(?: AS s)? WHERE (?:s\.)?subdomain = /,
];

/** Statements whose tables are bound outside of the part that names them. */
const BOUND_OUTSIDE: readonly RegExp[] = [
  /^SELECT NULL::int8 AS channel_id, .* FROM account_spans WHERE realm_id = \$1 AND user_id = ANY/,
  /^DELETE FROM \w+ AS t USING .* r\.realm_id = u\.realm_id .* t\.ctid = f\.at$/,
  / FROM reactions UNION ALL SELECT .* FROM personal_flags\) AS w ON w\.realm_id = \$1 /,
];

/** The statements that name a table of organizations without saying of which organization. */
export async function unboundStatements(pool: Pool, texts: ReadonlySet<string>): Promise<string[]> {
  const tables = await tablesOfOrganizations(pool);
  return [...texts].flatMap((text) => {
    const found = unboundTables(text, tables);
    return found.length === 0 || [...OF_ALL, ...BOUND_OUTSIDE].some((of) => of.test(plainOf(text)))
      ? []
      : [`${found.join()}: ${plainOf(text)}`];
  });
}
