import type { Kernel } from '@annals/kernel';
import type { Registry } from 'prom-client';
import type { Settings } from '../settings';
import { measureFollowers } from './follower-metrics';
import { measureProcess } from './process-metrics';
import { measureQueues } from './queue-metrics';
import { measureRealms } from './realm-metrics';

/** What an administrator watches of Annals itself, the same in every process (docs/operations.md). */
export function measureKernel(
  kernel: Kernel,
  registry: Registry,
  { ANNALS_REALM_METRICS: realms }: Pick<Settings, 'ANNALS_REALM_METRICS'>,
): void {
  measureProcess(kernel, registry);
  measureFollowers(kernel, registry);
  measureQueues(kernel, registry);
  if (realms === 'on') measureRealms(kernel, registry);
}
