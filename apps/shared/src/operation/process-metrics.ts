import type { Kernel } from '@annals/kernel';
import type { Registry } from 'prom-client';
import { Gauge, Histogram } from 'prom-client';
import { buildInfo } from './build-info';
import type { TakenBack } from './readiness';

/** Seconds. An append waits for a commit or two, and never longer than its caller's limit. */
const APPEND_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Figures of this process: what it is, its connections, its appends. */
export function registerProcessMetrics(kernel: Kernel, registry: Registry, takenBack: TakenBack): void {
  const registers = [registry];
  const info = { ...buildInfo() };
  const build = new Gauge({
    name: 'annals_build_info',
    help: 'What runs here: version of the program, digest of its sources, version of Node',
    labelNames: Object.keys(info),
    registers,
  });
  build.set(info, 1);
  measurePool(kernel, registry);
  new Gauge({
    name: 'annals_log_taken_back',
    help: '1 once this process has found that the log was restored from an older copy: it is about to end',
    registers,
    async collect() {
      // While PostgreSQL is unavailable the last known value remains.
      const reason = await takenBack().catch(() => undefined);
      if (reason !== undefined) this.set(reason === null ? 0 : 1);
    },
  });
  const { lanes } = kernel;
  new Gauge({
    name: 'annals_lane_waiting',
    help: 'Appends that wait for their transaction in this process',
    registers,
    collect() {
      this.set(lanes.waiting);
    },
  });
  const appends = new Histogram({
    name: 'annals_append_duration_seconds',
    help: 'Time from the request to append to its commit or refusal in this process, the wait for the lane included',
    buckets: APPEND_BUCKETS,
    registers,
  });
  lanes.onSettled = (seconds) => appends.observe(seconds);
}

function measurePool({ database: { pool } }: Kernel, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'annals_pool_connections',
    help: 'Connections to PostgreSQL that this process shares, by state; max is how many there may be',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'max' }, pool.options.max);
    },
  });
  new Gauge({
    name: 'annals_pool_waiting',
    help: 'Queries of this process that wait for a connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
