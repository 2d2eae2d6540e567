import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A copy of a database at one moment. Making and restoring it closes all connections. */
export interface Backup {
  /** Restores it in the place of the present database. */
  restore(): Promise<void>;
  drop(): Promise<void>;
}

export async function backUp(url: string): Promise<Backup> {
  const adminUrl = process.env['ANNALS_TEST_DATABASE_URL'];
  if (adminUrl === undefined) throw new Error('ANNALS_TEST_DATABASE_URL is not set: run specs with Jest.');
  const name = new URL(url).pathname.slice(1);
  const copy = `backup_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  // PostgreSQL copies only databases without connections.
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await admin.query(`CREATE DATABASE ${copy} TEMPLATE ${name}`);
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  return {
    restore: async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${copy}`);
    },
    drop: async () => {
      await admin.query(`DROP DATABASE ${copy}`);
      await admin.end();
    },
  };
}
