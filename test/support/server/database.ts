import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { SERVER_TEMPLATE, TEMPLATE } from './template';

export interface TestDatabase {
  readonly url: string;
  /** Drops it, despite connections. */
  readonly drop: () => Promise<void>;
}

const TEMPLATES = [TEMPLATE, SERVER_TEMPLATE];

/** A database of its own for one spec: a copy of a template. */
export async function createTestDatabase({
  adminUrl = process.env['ANNALS_TEST_DATABASE_URL'],
  template = TEMPLATE,
} = {}): Promise<TestDatabase> {
  if (adminUrl === undefined) throw new Error('ANNALS_TEST_DATABASE_URL is not set: run specs with Jest.');
  const name = `t_${process.env['JEST_WORKER_ID']}_${randomBytes(6).toString('hex')}`;
  // Copied file by file, it does not pass through the memory that all databases share.
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  // A copy of the template is another installation: it must not receive wake-ups of other copies.
  if (TEMPLATES.includes(template)) await execute(url.href, 'UPDATE installation SET id = gen_random_uuid()');
  return { url: url.href, drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(adminUrl: string, statement: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
