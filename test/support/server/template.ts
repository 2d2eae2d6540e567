import { Database, Kernel } from '@annals/kernel';
import { pino } from 'pino';
import { Client } from 'pg';
import { contexts } from '../../../apps/shared/src/contexts';

/** The database that test databases are copies of: migrated, and nothing else. */
export const TEMPLATE = 'annals_template';

/** The same with every read model, live and empty, for specs that start the product. */
export const SERVER_TEMPLATE = 'annals_server_template';

/**
 * No spec simulates a power failure: data in the operating system is safe from all that they kill. Thousands of
 * connections log in during a run, and each would cost both sides 4,096 rounds of hashing.
 */
const settingsFor = (adminUrl: string): readonly string[] => [
  ...['fsync', 'full_page_writes'].map((setting) => `ALTER SYSTEM SET ${setting} = off`),
  'SELECT pg_reload_conf()',
  'SET scram_iterations = 1',
  `ALTER ROLE CURRENT_USER PASSWORD '${decodeURIComponent(new URL(adminUrl).password)}'`,
];

/**
 * Creates the templates once for a whole run of the suite. No connection to them may be left open afterwards, because
 * PostgreSQL does not copy a database with connections.
 */
export async function prepareTemplate(adminUrl: string): Promise<void> {
  await execute(adminUrl, [...settingsFor(adminUrl), `CREATE DATABASE ${TEMPLATE}`]);
  const migrations = contexts.flatMap((context) => context.migrations);
  const database = await Database.connect(urlOf(adminUrl, TEMPLATE), { migrations });
  await database.migrate();
  await database.close();

  await execute(adminUrl, [`CREATE DATABASE ${SERVER_TEMPLATE} TEMPLATE ${TEMPLATE}`]);
  const log = pino({ level: 'silent' });
  const kernel = await Kernel.open({ databaseUrl: urlOf(adminUrl, SERVER_TEMPLATE), contexts, log });
  await kernel.store.ensureLive(kernel.projections);
  await kernel.close();
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
