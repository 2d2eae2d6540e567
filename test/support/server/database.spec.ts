import { Client } from 'pg';
import { createTestDatabase } from './database';

async function tablesIn(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename = 'only_here'`,
    );
    return rows.map((row) => row.tablename);
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  it('shares nothing with another one, and is dropped despite connections', async () => {
    const [mine, theirs] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const client = new Client({ connectionString: mine.url });
    const broken: unknown[] = [];
    client.on('error', (error: unknown) => broken.push(error));
    await client.connect();
    await client.query('CREATE TABLE only_here ()');
    expect(await tablesIn(mine.url)).toEqual(['only_here']);
    expect(await tablesIn(theirs.url)).toEqual([]);
    await Promise.all([mine.drop(), theirs.drop()]);
    expect(broken[0]).toMatchObject({ code: '57P01' });
    await expect(tablesIn(mine.url)).rejects.toMatchObject({ code: '3D000' });
  });
});
