import type { StoredEvent } from '@annals/kernel';

/** Where a log is replayed into. */
export interface ReplayTarget {
  /**
   * Opens it.
   *
   * @param resume continues what was interrupted; otherwise the target must be new or empty
   * @param start position after which the requested part of the log begins
   * @returns the position after which events are missing
   * @throws Error when it cannot be written, or is not empty
   */
  open(resume: boolean, start: number): Promise<number>;
  /** Writes some events, in order. Resolves when the target has them. */
  write(events: readonly StoredEvent[]): Promise<void>;
  /** The log was read up to this position, and none of the events in between is left to be written. */
  reached(position: number): Promise<void>;
  /** Completes it after the last event. @returns what was done, for the operator */
  complete(): Promise<string[]>;
  close(): Promise<void>;
}
