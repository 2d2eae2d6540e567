import { Database } from '@annals/kernel';
import { Client } from 'pg';
import { contexts } from '../../apps/shared/src/contexts';

/** The database every test database is a copy of. */
export const TEMPLATE = 'annals_template';

/** No spec takes the power away: what the operating system has is safe from all that they kill. */
const UNFLUSHED = ['fsync', 'full_page_writes'].map((setting) => `ALTER SYSTEM SET ${setting} = off`);

/**
 * Creates the template once for a whole run of the suite. No connection to it may be left open afterwards, as
 * PostgreSQL does not copy a database that somebody uses.
 */
export async function prepareTemplate(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const statement of [...UNFLUSHED, 'SELECT pg_reload_conf()']) await admin.query(statement);
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  } finally {
    await admin.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${TEMPLATE}`;
  const migrations = contexts.flatMap((context) => context.migrations);
  const database = await Database.connect(url.href, { migrations });
  await database.migrate();
  await database.close();
}
