import type { Kernel } from '@annals/kernel';
import type { Registry } from 'prom-client';
import type { Settings } from '../settings';
import { registerFollowerMetrics } from './follower-metrics';
import { registerProcessMetrics } from './process-metrics';
import { registerQueueMetrics } from './queue-metrics';
import { registerRealmMetrics } from './realm-metrics';

/** What an administrator watches of Annals itself, the same in every process (docs/operations.md). */
export function registerKernelMetrics(
  kernel: Kernel,
  registry: Registry,
  { ANNALS_REALM_METRICS: realms }: Pick<Settings, 'ANNALS_REALM_METRICS'>,
): void {
  registerProcessMetrics(kernel, registry);
  registerFollowerMetrics(kernel, registry);
  registerQueueMetrics(kernel, registry);
  if (realms === 'on') registerRealmMetrics(kernel, registry);
}
