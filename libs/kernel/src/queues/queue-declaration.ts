import type { Pool } from 'pg';
import type { Instant } from '../domain/index';

/** A job queue as its context declares it. */
export interface QueueDeclaration {
  readonly name: string;
  /**
   * Since when the oldest of what the queue wakes for is due and not done, as PostgreSQL knows it; null when nothing is.
   * Left out by queues whose jobs are all that tells what is due.
   */
  readonly oldestDue?: (pool: Pool, now: Instant) => Promise<Instant | null>;
  /** What was given up and waits for an operator, where that is no job but is known by PostgreSQL. */
  readonly deadLetters?: {
    readonly count: (pool: Pool) => Promise<number>;
    /** The command that lists it. */
    readonly listedBy: string;
  };
}
