import type { HealthChecks, Kernel } from '@annals/kernel';
import type { Registry } from 'prom-client';
import type { Settings } from '../settings';
import { registerConsumerMetrics } from './consumer-metrics';
import { registerDirectoryMetrics } from './directory-metrics';
import { registerFollowerMetrics } from './follower-metrics';
import { registerProcessMetrics } from './process-metrics';
import { registerQueueMetrics } from './queue-metrics';
import { watchReadiness } from './readiness';
import { registerRealmMetrics } from './realm-metrics';
import { oncePerSecond } from './shared-reading';

/** Where health and metrics of a process are registered. */
export interface Operated {
  readonly health: HealthChecks;
  readonly registry: Registry;
}

/** Adds the health checks and metrics of the kernel. They are the same in every process (docs/operations.md). */
export function watchKernel(
  kernel: Kernel,
  { health, registry }: Operated,
  { ANNALS_REALM_METRICS: realms }: Pick<Settings, 'ANNALS_REALM_METRICS'>,
): void {
  const takenBack = oncePerSecond(kernel.clock, () => kernel.whyTakenBack());
  watchReadiness(kernel, health, takenBack);
  registerProcessMetrics(kernel, registry, takenBack);
  registerConsumerMetrics(kernel, registry);
  registerDirectoryMetrics(kernel, registry);
  registerFollowerMetrics(kernel, registry);
  registerQueueMetrics(kernel, registry);
  if (realms === 'on') registerRealmMetrics(kernel, registry);
}
