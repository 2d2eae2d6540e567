import type { Registry } from 'prom-client';
import { collectDefaultMetrics } from 'prom-client';

/**
 * How often the delay of the event loop is sampled, in ms. Each sample wakes the process: the default of prom-client, ten
 * times as often, costs an idle process one or two percent of a processor.
 */
const SAMPLE_MS = 100;

/** Adds the figures of Node, which are those of the whole process: once in each, as watching it cannot be ended. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: SAMPLE_MS });
}
