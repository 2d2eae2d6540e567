import type { Instant } from '../domain/index';

/** The payload of a job: ids, never content. Its processor reads the current state. */
export type JobData = Readonly<Record<string, string | number>>;

/** A job as its handler gets it. */
export interface Job {
  readonly id: string;
  /**
   * The payload of `add`. That of a wake-up is `{ key, position }`, and a later wake-up may have raised the position.
   */
  readonly data: JobData;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export interface AddOptions {
  /** Milliseconds until the job is due. */
  readonly delay?: number;
  /**
   * Attempts before the job counts as failed. The second one is a second after the first, and each later pause is twice
   * as long.
   */
  readonly attempts?: number;
}

/** Does the work. An error fails the attempt. The handler may run again for a job that it has done already. */
export type JobHandler = (job: Job) => Promise<void>;

/** A job that failed for good. */
export interface FailedJob {
  readonly id: string;
  readonly data: JobData;
  readonly attempts: number;
  /** The error of its last attempt. */
  readonly reason: string;
  readonly failedAt: Instant;
}

/** Jobs by state at one moment. */
export interface QueueCounts {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly failed: number;
}
