import type { Kernel, QueueCounts, QueueFigures } from '@annals/kernel';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import { sharedReading } from './shared-reading';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const satisfies readonly (keyof QueueCounts)[];

type Figures = () => Promise<readonly QueueFigures[] | null>;

/** Figures of the job queues, read on request. What cannot be read is left out. */
export function registerQueueMetrics(kernel: Kernel, registry: Registry): void {
  const figures = sharedReading(() => kernel.queueFigures());
  const registers = [registry];
  new Gauge({
    name: 'annals_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { name: queue, counts } of (await figures()) ?? []) {
        if (counts) for (const state of STATES) this.set({ queue, state }, counts[state]);
      }
    },
  });
  const oldest = 'Age of the oldest due work that is not done by queue, 0 without any';
  gaugeByQueue({ figures, registers, name: 'annals_queue_oldest_due_seconds', help: oldest }, ({ oldestDueMs }) =>
    oldestDueMs === null ? null : oldestDueMs / 1_000,
  );
  const deadLetters = 'Dead letters beside jobs by queue, until an operator retries them or they are deleted';
  gaugeByQueue(
    { figures, registers, name: 'annals_queue_given_up', help: deadLetters },
    ({ givenUp }) => givenUp?.count,
  );
  new Gauge({
    name: 'annals_job_store_up',
    help: 'Whether the store of the job queues answers; without it due work is found a little later',
    registers,
    async collect() {
      this.set((await figures())?.every(({ counts }) => counts !== null) ? 1 : 0);
    },
  });
}

/** A gauge with one value for each queue. Queues without a value are left out. */
function gaugeByQueue(
  {
    figures,
    ...options
  }: { readonly figures: Figures; readonly name: string; readonly help: string; readonly registers: Registry[] },
  valueOf: (queue: QueueFigures) => number | null | undefined,
): void {
  new Gauge({
    ...options,
    labelNames: ['queue'],
    async collect() {
      this.reset();
      for (const queue of (await figures()) ?? []) {
        const value = valueOf(queue);
        if (typeof value === 'number') this.set({ queue: queue.name }, value);
      }
    },
  });
}
