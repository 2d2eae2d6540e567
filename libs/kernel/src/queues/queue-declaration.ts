import type { Pool } from 'pg';
import type { Instant } from '../domain/index';

/** A job queue as its context declares it. */
export interface QueueDeclaration {
  readonly name: string;
  /**
   * The time since which the oldest work of the queue is due and not done, by PostgreSQL. Null if there is none. Left
   * out by queues whose work is known from their jobs only.
   */
  readonly oldestDue?: (pool: Pool, now: Instant) => Promise<Instant | null>;
  /** Dead letters that wait for an operator, if PostgreSQL stores them and not the queue. */
  readonly deadLetters?: {
    readonly count: (pool: Pool) => Promise<number>;
    /** The command that lists it. */
    readonly listedBy: string;
  };
}
