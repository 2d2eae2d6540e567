import type { Database } from './database';

/** Id of the installation of a database. @throws Error if the database is not set up for this version */
export async function installationOf(database: Database): Promise<string> {
  if (await database.needsMigration())
    throw new Error('The database is not set up for this release: run annals setup first.');
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM installation');
  if (!rows[0]) throw new Error('The installation has no id.');
  return rows[0].id;
}
