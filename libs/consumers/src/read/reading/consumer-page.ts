import type { LogOffset } from '../offsets';
import type { ConsumerEvent } from './cloud-event';

/** Which events of a consumer are read. */
export interface Reading {
  readonly after: LogOffset;
  /** Up to and including this offset. */
  readonly upTo: LogOffset;
  /** Most events, unless one append has more. */
  readonly limit: number;
}

/** Events in order: all that a consumer gets up to `through`. There may be none while there are more. */
export interface ConsumerPage {
  readonly events: readonly ConsumerEvent[];
  readonly through: LogOffset;
  /** Why it ends there, although the log continues: only a newer release knows the next event. Null in normal operation. */
  readonly error: Error | null;
}
