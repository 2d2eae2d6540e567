import { Kernel } from '@annals/kernel';
import { pino } from 'pino';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import { setUpTestOrganization } from '../../../../../test/support/server/organization';
import { contexts } from '../../../../shared/src/contexts';
import { verify } from './verify';

describe('annals verify, after the end of the log was cut off', () => {
  let database: TestDatabase;
  let kernel: Kernel;
  let head: number;
  const lines: string[] = [];
  beforeEach(async () => {
    database = await createTestDatabase();
    const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];
    kernel = await Kernel.open({ databaseUrl: database.url, redisUrl, contexts, log: pino({ level: 'fatal' }) });
    await setUpTestOrganization(kernel);
    head = Math.max(...(await kernel.events.heads()).values());
    lines.splice(0);
  });
  afterEach(async () => {
    await kernel.close();
    await database.drop();
  });

  const tamper = (...statements: string[]) =>
    kernel.database.transaction('BEGIN', async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      for (const statement of statements) await client.query(statement);
    });
  const verified = () => verify(kernel, {}, (line) => void lines.push(line));

  it('reports it also when the row of the head is missing', async () => {
    expect(await verified()).toBe(0);
    lines.splice(0);
    await tamper(`DELETE FROM events WHERE position > ${head - 1}`, `UPDATE realm_heads SET position = ${head - 1}`);
    expect(await verified()).toBe(1);
    expect(lines.join()).toMatch(`broken at position ${head}: the log ends at ${head - 1}, but the table view_`);
    expect(lines.join()).toMatch(`knows ${head} (the ${head - 1} events before it are intact)`);
  });

  it('reports what only a client queue knows', async () => {
    await tamper(
      `INSERT INTO client_queues VALUES (1, gen_random_uuid(), 1, 2, '{}', ${(head + 3) * 65_536 + 5}, 1, 0)`,
    );
    expect(await verified()).toBe(1);
    expect(lines.join()).toMatch(`the log ends at ${head}, but a client queue knows ${head + 3}`);
  });

  it('checks an organization without the row of its head', async () => {
    await tamper('DELETE FROM realm_heads');
    expect(await verified()).toBe(1);
    expect(lines.join()).toMatch(/broken at position 1: the log ends at 0, but the table events knows/);
  });
});
