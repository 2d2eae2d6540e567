import type { ConsumerFigures } from '@annals/consumers';
import { readConsumerFigures } from '@annals/consumers';
import type { Kernel } from '@annals/kernel';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import { sharedReading } from './shared-reading';

/** How far the consumers of the log are, read on request: any process reports all of them. */
export function registerConsumerMetrics(kernel: Kernel, registry: Registry): void {
  const figures = sharedReading(() => readConsumerFigures(kernel));
  const measure = (name: string, help: string, fold: (all: readonly ConsumerFigures[]) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(fold((await figures()) ?? []));
      },
    });
  measure('annals_consumers_parked', 'Events that consumers of the log parked because they failed too often', (all) =>
    all.reduce((sum, { parked }) => sum + parked, 0),
  );
  measure(
    'annals_consumers_failing',
    'Consumers of the log whose webhook or sink does not take its events',
    (all) => all.filter(({ isFailing }) => isFailing).length,
  );
  measure(
    'annals_consumers_lag_events',
    'Positions that a consumer has neither settled nor parked, the most of all consumers',
    (all) => Math.max(0, ...all.map(({ lagEvents }) => lagEvents)),
  );
  measure(
    'annals_consumers_lag_seconds',
    'Age of the oldest event that a consumer has neither settled nor parked, the greatest of all consumers',
    (all) => Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)),
  );
}
