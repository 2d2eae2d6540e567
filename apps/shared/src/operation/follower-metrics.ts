import type { Kernel, Lag } from '@annals/kernel';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import { sharedReading } from './shared-reading';

/** The progress of the followers of the log, read on request: any process reports all workers. */
export function registerFollowerMetrics(kernel: Kernel, registry: Registry): void {
  const lags = sharedReading(() => kernel.lags());
  /** @param fold combines the figures of all realms. Their sum when left out */
  const measure = (name: string, help: string, valueOf: (lag: Lag) => number, fold = sum) =>
    new Gauge({
      name,
      help,
      labelNames: ['follower'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const [follower, value] of byFollower((await lags()) ?? [], valueOf, fold)) this.set({ follower }, value);
      },
    });
  measure(
    'annals_follower_behind_events',
    'Events that a background read model or reader still has to take',
    ({ behind }) => behind,
  );
  measure(
    'annals_follower_behind_seconds',
    'Time for which a follower has handled no event although events wait, the longest of all realms; 0 if none waits',
    ({ behindSince }) => (behindSince === null ? 0 : Math.max(kernel.clock.now() - behindSince, 0) / 1_000),
    Math.max,
  );
  measure(
    'annals_follower_ahead_positions',
    'Positions by which a follower is beyond the end of a log, which was restored from an older copy',
    ({ ahead }) => ahead,
  );
  measure('annals_follower_parked_realms', 'Realms in which a follower of the log has stopped', ({ parked }) =>
    parked ? 1 : 0,
  );
}

const sum = (a: number, b: number): number => a + b;

function byFollower(
  lags: readonly Lag[],
  valueOf: (lag: Lag) => number,
  fold: (a: number, b: number) => number,
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const lag of lags) {
    const follower = lag.isBuild ? `${lag.name} (building)` : lag.name;
    values.set(follower, fold(values.get(follower) ?? 0, valueOf(lag)));
  }
  return values;
}
