import { Client } from 'pg';
import type { TestDatabase } from '../support/server/database';
import { createTestDatabase } from '../support/server/database';
import { openKernel } from '../../apps/shared/src/open-kernel';
import { readSettings } from '../../apps/shared/src/settings';

/**
 * Tables that are not of one realm: who we are, what has been migrated, what read models exist, which processes run and
 * follow. Everything else begins with its realm, so that a query can never join two of them and the schema can be
 * distributed by realm.
 */
const OF_NO_REALM = new Set(['follower_processes', 'installation', 'migrations', 'processes', 'projections']);

describe('every table and every index', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    const kernel = await openKernel(readSettings({ DATABASE_URL: database.url, ANNALS_LOG_LEVEL: 'fatal' }));
    await kernel.store.ensureLive(kernel.projections);
    await kernel.close();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('begins with its realm', async () => {
    const { rows } = await client.query<{ table: string; index: string; first: string | null }>(
      `SELECT c.relname AS table, i.relname AS index, a.attname AS first
       FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
       WHERE (n.nspname = 'public' OR n.nspname LIKE 'view\\_%') AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1, 2`,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ table, first }) => !OF_NO_REALM.has(table) && first !== 'realm_id')).toEqual([]);
  });

  it('of a read model has a key', async () => {
    const { rows } = await client.query<{ table: string; keyed: boolean }>(
      `SELECT c.relname AS table, EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary) AS keyed
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE 'view\\_%' AND c.relkind = 'r'`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ keyed }) => !keyed)).toEqual([]);
  });
});
