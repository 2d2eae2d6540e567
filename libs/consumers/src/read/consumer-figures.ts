import type { Kernel } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import { readConsumers } from './consumer-row';
import { readProgress } from './consumer-progress';

/** How far a consumer is, for operators. */
export interface ConsumerFigures {
  readonly parked: number;
  /** Whether requests to its webhook fail. */
  readonly isFailing: boolean;
  readonly lagEvents: number;
  readonly lagSeconds: number;
}

/** The figures of the consumers of all organizations. */
export async function readConsumerFigures(
  kernel: Pick<Kernel, 'database' | 'events' | 'clock'>,
): Promise<ConsumerFigures[]> {
  const { pool } = kernel.database;
  const { rows } = await pool.query<{ id: RealmId }>('SELECT DISTINCT realm_id AS id FROM view.consumers');
  const heads = await kernel.events.heads(rows.map(({ id }) => id));
  const now = kernel.clock.now();
  const figures: ConsumerFigures[] = [];
  for (const { id } of rows) {
    const consumers = await readConsumers(pool, id);
    const progress = await readProgress(pool, id, consumers, heads.get(id) ?? (0 as Position));
    for (const { parked, lagEvents, oldest, failingSince } of progress.values()) {
      const lagSeconds = oldest === null ? 0 : Math.max(0, now - oldest) / 1_000;
      figures.push({ parked, isFailing: failingSince !== null, lagEvents, lagSeconds });
    }
  }
  return figures;
}
