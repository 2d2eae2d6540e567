import { Dispatcher } from '@annals/feed';
import type { Lag, QueueCounts } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import { Metrics } from '@annals/web';
import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';

/** Seconds; an append waits for a commit or two, and never longer than its caller's patience. */
const APPEND_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const satisfies readonly (keyof QueueCounts)[];

/**
 * What an administrator watches of Annals itself (docs/operations.md). Figures of followers and job queues are read when
 * they are asked for, so that any api process tells of all workers; what cannot be read is left out.
 */
@Injectable()
export class Measures implements OnModuleInit {
  constructor(
    private readonly kernel: Kernel,
    private readonly metrics: Metrics,
    private readonly dispatcher: Dispatcher,
  ) {}

  onModuleInit(): void {
    this.measureProcess();
    this.measureFollowers();
    this.measureQueues();
  }

  private measureProcess(): void {
    const { dispatcher } = this;
    const { lanes } = this.kernel;
    const registers = [this.metrics.registry];
    new Gauge({
      name: 'annals_polls_waiting',
      help: 'GET /events that hang in this process',
      registers,
      collect() {
        this.set(dispatcher.waiting);
      },
    });
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
      help: 'Time from the wish to append to its commit or refusal in this process, the wait for the lane included',
      buckets: APPEND_BUCKETS,
      registers,
    });
    lanes.onSettled = (seconds) => appends.observe(seconds);
  }

  private measureFollowers(): void {
    const lags = shared(() => this.kernel.lags());
    const measure = (name: string, help: string, valueOf: (lag: Lag) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['follower'],
        registers: [this.metrics.registry],
        async collect() {
          this.reset();
          for (const lag of (await lags()) ?? [])
            this.inc({ follower: lag.isBuild ? `${lag.name} (building)` : lag.name }, valueOf(lag));
        },
      });
    measure(
      'annals_follower_behind_events',
      'Events that a background read model or reader still has to take',
      ({ behind }) => behind,
    );
    measure(
      'annals_follower_ahead_positions',
      'Positions that a follower stands beyond the end of a log, which was restored from an older copy',
      ({ ahead }) => ahead,
    );
    measure('annals_follower_parked_realms', 'Realms in which a follower of the log has stopped', ({ parked }) =>
      parked ? 1 : 0,
    );
  }

  private measureQueues(): void {
    const figures = shared(() => this.kernel.queueFigures());
    const registers = [this.metrics.registry];
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
        for (const { name: queue, givenUp } of (await figures()) ?? [])
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
}

/** Reads once for all who ask before it is done; null when it cannot be read, which must not take the rest along. */
function shared<T>(read: () => Promise<T>): () => Promise<T | null> {
  let running: Promise<T | null> | null = null;
  return () =>
    (running ??= read()
      .catch(() => null)
      .finally(() => (running = null)));
}
