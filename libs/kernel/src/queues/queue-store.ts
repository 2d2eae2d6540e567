import type { IQueueBackend, Job as BullJob, Queue, Worker } from 'bullmq';
import type { JobData } from './job';

/** BullMQ's classes, for any store. */
export type BullQueue = Queue<JobData, void, string, JobData, void, string, IQueueBackend, never>;
export type BullWorker = Worker<JobData, void, string, IQueueBackend, never, never>;
export type ProcessJob = (job: BullJob<JobData, void>) => Promise<void>;

/** Where BullMQ stores its jobs. It is never the only place of a fact: everything in it may be lost at any moment. */
export interface QueueStore {
  /** False while a command is known to fail. */
  readonly isReachable: boolean;
  /** Whether a command failed because the connection broke. `isReachable` may show that a moment later. */
  isDisconnection(error: unknown): boolean;
  /** Waits until it is reachable, or the patience is over. */
  whenReachable(patience: AbortSignal): Promise<void>;
  queue(name: string): BullQueue;
  /** Waiting jobs, the oldest among them. */
  oldestWaiting(queue: BullQueue): Promise<BullJob<JobData, void>[]>;
  /** Begins to work. @param concurrency jobs at a time, as far as the store supports it */
  worker(name: string, process: ProcessJob, concurrency: number): BullWorker;
  /**
   * Takes no new jobs, waits for the running ones, and closes all connections.
   *
   * @param patience when aborted, connections that delay the end are dropped
   */
  close(patience: AbortSignal): Promise<void>;
}

/** Options of all workers. */
export const WORKER_OPTIONS = {
  /** The job of a worker that died is taken over by another after this time and up to two checks for such jobs. */
  lockDuration: 10_000,
  /** A lock is renewed when it is this old at most. Each queue looks twice in this time, also while it has no job. */
  lockRenewTime: 8_000,
  stalledInterval: 5_000,
  /**
   * Pause after a failed fetch while the store is unavailable. BullMQ's 15 s would delay the first job after an outage.
   */
  runRetryDelay: 500,
} as const;
