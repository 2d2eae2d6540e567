import type { Instant } from '../domain/index';

/** The payload of a job: ids, never content. Its processor reads the current state. */
export type JobData = Readonly<Record<string, string | number>>;

/** A job as its handler gets it. */
export interface Job {
  readonly id: string;
  /** What `add` was given; of a wake-up `{ key, position }`, where a later wake-up may have gone further. */
  readonly data: JobData;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export interface AddOptions {
  /** Milliseconds until the job is due. */
  readonly delay?: number;
  /** Attempts before it is given up, a second after the first failure and twice as long after each further one. */
  readonly attempts?: number;
}

/** Does the work; what it throws makes the attempt fail. It may be called again for a job that it has done already. */
export type JobHandler = (job: Job) => Promise<void>;

/** A job that was given up. */
export interface FailedJob {
  readonly id: string;
  readonly data: JobData;
  readonly attempts: number;
  /** What its last attempt threw. */
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
