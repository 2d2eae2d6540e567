import { performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { Gauge, collectDefaultMetrics } from 'prom-client';

/** The longest that a timer takes, in ms: some 25 days. */
const NEVER_MS = 2 ** 31 - 1;
const SAMPLED = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map((of) => `nodejs_eventloop_lag_${of}_seconds`);

/**
 * Figures of Node for the whole process. They are registered once, because watching cannot be ended. The lag of the
 * event loop is measured on request: sampling would wake an idle process a hundred times a second, and Node itself
 * measures how busy the loop is.
 */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of SAMPLED) registry.removeSingleMetric(name);
  let before = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of the time since it was asked for last in which the event loop had something to do, from 0 to 1',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
  });
}
