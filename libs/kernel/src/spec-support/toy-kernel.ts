import pino from 'pino';
import type { TestDatabase } from '../../../../test/support/server/database';
import { createTestDatabase } from '../../../../test/support/server/database';
import type { RealmId, Instant } from '../domain/index';
import type { KernelOptions } from '../kernel-options';
import type { SystemActor } from '../work/by';
import { ManualClock } from '../domain/index';
import { Database } from '../database/database';
import { Kernel } from '../kernel';
import { toyContext } from './toy-context';

export interface ToyKernel {
  readonly kernel: Kernel;
  readonly clock: ManualClock;
  readonly url: string;
  /** Opens another one on the same database, like another process. */
  another(options?: Partial<KernelOptions>): Promise<Kernel>;
  close(): Promise<void>;
}

export const realm = 1 as RealmId;

/** The system acting in a realm. */
export const system = (realmId: RealmId = realm): SystemActor => ({
  realmId,
  userId: null,
  origin: { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null },
});

/** A kernel with the toy context on a database of its own, with as many realms as asked for. */
export async function openToyKernel(
  options: Partial<KernelOptions> & { realms?: number; adminUrl?: string } = {},
): Promise<ToyKernel> {
  const database = options.adminUrl ? await createDatabase(options.adminUrl) : await createTestDatabase();
  const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
  const open = (more: Partial<KernelOptions> = {}) =>
    Kernel.open({
      databaseUrl: database.url,
      redisUrl: process.env['ANNALS_TEST_REDIS_URL'],
      contexts: [toyContext],
      log: pino({ level: 'silent' }),
      clock,
      poolSize: 4,
      ...more,
    });
  const kernel = await open(options);
  await kernel.store.ensureLive(kernel.projections);
  const others: Kernel[] = [];
  for (let id = 1; id <= (options.realms ?? 1); id++) {
    await kernel.database.pool.query('INSERT INTO realm_heads VALUES ($1, 0, 0)', [id]);
  }
  return {
    kernel,
    clock,
    url: database.url,
    another: async (more) => {
      const other = await open(more);
      others.push(other);
      return other;
    },
    close: async () => {
      for (const one of [kernel, ...others]) await one.close();
      await database.drop();
    },
  };
}

/** A migrated database on a server that only this spec uses. */
async function createDatabase(adminUrl: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ adminUrl, template: 'template1' });
  const connection = await Database.connect(database.url);
  await connection.migrate();
  await connection.close();
  return database;
}
