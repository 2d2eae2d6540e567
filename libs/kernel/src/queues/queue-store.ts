import type { IQueueBackend, Job as BullJob, Queue, Worker } from 'bullmq';
import type { JobData } from './job';

/** BullMQ's classes, whichever store is behind them. */
export type BullQueue = Queue<JobData, void, string, JobData, void, string, IQueueBackend, never>;
export type BullWorker = Worker<JobData, void, string, IQueueBackend, never, never>;
export type Process = (job: BullJob<JobData, void>) => Promise<void>;

/** Where BullMQ keeps its jobs. It holds no truth: everything in it may vanish at any moment. */
export interface QueueStore {
  /** False while a command is known to fail. */
  readonly isReachable: boolean;
  /** Whether a command failed because the connection broke, which `isReachable` may show a moment later only. */
  isDisconnection(error: unknown): boolean;
  /** Waits until it is reachable, or the patience is over. */
  whenReachable(patience: AbortSignal): Promise<void>;
  queue(name: string): BullQueue;
  /** Jobs that wait for a worker, the oldest among them. */
  oldestWaiting(queue: BullQueue): Promise<BullJob<JobData, void>[]>;
  /** Starts to work. @param concurrency jobs at a time, as far as the store bears it */
  worker(name: string, process: Process, concurrency: number): BullWorker;
  /**
   * Takes no new jobs, waits for those under way, and lets go of all connections.
   * @param patience when aborted, connections that hold it up are dropped
   */
  close(patience: AbortSignal): Promise<void>;
}

/** Options of all workers. */
export const WORKER_OPTIONS = {
  /** A job whose worker died is taken over by another after this and up to two rounds of looking for such jobs. */
  lockDuration: 10_000,
  stalledInterval: 5_000,
  /** Pause after a failed fetch while the store is away; BullMQ's 15 s would be the delay of the first job after it. */
  runRetryDelay: 500,
} as const;
