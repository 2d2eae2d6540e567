import type { Kernel, QueueCounts } from '@annals/kernel';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import { sharedReading } from './shared-reading';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const satisfies readonly (keyof QueueCounts)[];

/** Figures of the job queues, read when they are asked for; what cannot be read is left out. */
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
  new Gauge({
    name: 'annals_queue_oldest_due_seconds',
    help: 'Age of the oldest that is due and not done by queue, 0 when nothing is',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      for (const { name: queue, oldestDueMs } of (await figures()) ?? [])
        if (oldestDueMs !== null) this.set({ queue }, oldestDueMs / 1_000);
    },
  });
  new Gauge({
    name: 'annals_queue_given_up',
    help: 'What was given up beside jobs by queue, until an operator lets it be tried again or it is forgotten',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      for (const { name: queue, givenUp: givenUp } of (await figures()) ?? [])
        if (typeof givenUp?.count === 'number') this.set({ queue }, givenUp.count);
    },
  });
  new Gauge({
    name: 'annals_job_store_up',
    help: 'Whether the store of the job queues answers; without it everything is found by looking, a little later',
    registers,
    async collect() {
      this.set((await figures())?.every(({ counts }) => counts !== null) ? 1 : 0);
    },
  });
}
