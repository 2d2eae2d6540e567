import type { RealmId } from '@annals/kernel/domain';
import { storedFiles } from '../requests/pictures';
import type { TestServer } from '../server/server';

/** All tables with rows of organizations, whatever they are for. */
const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class AS c
  JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'realm_id'
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;

/** How far a queue has been read is stored at any time within a minute. */
const PROGRESS = `'{last_contact,cursor,seen}'::text[]`;

/** What an organization has: a digest of its rows in each table, and its files. */
export type State = Readonly<Record<string, string>>;

/** The log, read models, secrets, queues and files of an organization. */
export async function stateOf({ kernel, dataDir }: TestServer, realmId: RealmId): Promise<State> {
  const { pool } = kernel.database;
  const { rows: tables } = await pool.query<{ name: string }>(TABLES);
  const digests = tables.map(({ name }) => {
    const row = name.endsWith('.client_queues') ? `md5((to_jsonb(t) - ${PROGRESS})::text)` : 'md5(t::text)';
    const digest = `md5(coalesce(string_agg(${row}, '' ORDER BY ${row}), ''))`;
    return `SELECT '${name}' AS name, count(*) || ' rows ' || ${digest} AS digest FROM ${name} AS t WHERE t.realm_id = $1`;
  });
  const { rows } = await pool.query<{ name: string; digest: string }>(digests.join(' UNION ALL '), [realmId]);
  const files = storedFiles(dataDir, String(realmId)).join(' ');
  return { ...Object.fromEntries(rows.map(({ name, digest }) => [name, digest])), files };
}

/** What is different, by table. Empty if nothing is. */
export const changes = (before: State, after: State): State =>
  Object.fromEntries(Object.entries(after).filter(([name, digest]) => before[name] !== digest));
