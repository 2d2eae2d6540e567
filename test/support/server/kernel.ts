import type { ContextDefinition, KernelOptions, SystemActor, Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { Fact, Instant, RealmId } from '@annals/kernel/domain';
import { ManualClock } from '@annals/kernel/domain';
import { pino } from 'pino';
import { createTestDatabase } from './database';

/** The realm that `state` writes to. */
export const REALM = 1 as RealmId;

const system: SystemActor = {
  realmId: REALM,
  userId: null,
  origin: { client: 'test', correlation: '00000000-0000-4000-8000-000000000001', address: null },
};

export interface TestKernel {
  readonly kernel: Kernel;
  readonly clock: ManualClock;
  readonly url: string;
  /** Stores events, one append for each call, as if they had been decided. */
  state(...happened: readonly (readonly [stream: string, fact: Fact])[]): Promise<void>;
  /** Rows of a read model, without their realm and position. */
  rows(table: string, order: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
  /** Only drops the database, if the kernel is closed another way. */
  drop(): Promise<void>;
}

/** A kernel with these contexts on a database of its own, with read models live and no organization in it. */
export async function openTestKernel(
  contexts: readonly ContextDefinition[],
  options: Partial<KernelOptions> = {},
): Promise<TestKernel> {
  const database = await createTestDatabase();
  const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
  const log = pino({ level: 'silent' });
  const kernel = await Kernel.open({
    databaseUrl: database.url,
    contexts,
    log,
    clock,
    poolSize: 4,
    gatherMs: 0,
    ...options,
  });
  await kernel.store.ensureLive(kernel.projections);
  return {
    kernel,
    clock,
    url: database.url,
    state: (...happened) =>
      kernel.work.run(
        system,
        async (work: Work) => {
          for (const [stream, fact] of happened) work.append(stream, [fact]);
        },
        { opensRealm: true },
      ),
    rows: (table, order) => rowsOf(kernel, table, order),
    close: async () => {
      await kernel.close();
      await database.drop();
    },
    drop: database.drop,
  };
}

async function rowsOf(kernel: Kernel, table: string, order: string): Promise<Record<string, unknown>[]> {
  const { rows } = await kernel.database.pool.query<Record<string, unknown>>(
    `SELECT * FROM view.${table} WHERE realm_id = $1 ORDER BY ${order}`,
    [REALM],
  );
  return rows.map(({ realm_id: _realm, last_position: _position, ...row }) => row);
}
