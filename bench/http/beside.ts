import { setTimeout as delay } from 'node:timers/promises';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { pino } from 'pino';
import { contexts } from '../../apps/shared/src/contexts';
import type { Bench } from '../harness';

/** How often it is looked whether the worker has followed, in ms. */
const LOOK_MS = 200;

/** A kernel of this process beside those of the server. Closed after the measurement. */
export async function openKernel(bench: Bench, databaseUrl: string): Promise<Kernel> {
  const log = pino({ level: 'error' });
  const kernel = await Kernel.open({ databaseUrl, redisUrl: bench.redisUrl, contexts, log });
  bench.after(() => kernel.close());
  return kernel;
}

/** Resolves when the followers of the log have reached its present end, so that nothing runs beside the measurement. */
export async function followed(kernel: Kernel): Promise<void> {
  const heads = await kernel.events.heads();
  const isBehind = (realmId: RealmId, position: number) => position < (heads.get(realmId) ?? 0);
  while ((await kernel.lags()).some(({ realmId, position }) => isBehind(realmId, position))) await delay(LOOK_MS);
}

/** Number of events of the first organization that the newest checkpoint covers. */
export async function signedSize({ database }: Kernel): Promise<number> {
  const { rows } = await database.pool.query<{ size: number | null }>(
    'SELECT max(size) AS size FROM audit_checkpoints WHERE realm_id = 1',
  );
  return rows[0]?.size ?? 0;
}

/** Resolves when the worker has signed the present end of the log of the first organization. */
export async function signed(kernel: Kernel): Promise<void> {
  const head = (await kernel.events.heads()).get(1 as RealmId) ?? 0;
  while ((await signedSize(kernel)) < head) await delay(LOOK_MS);
}
