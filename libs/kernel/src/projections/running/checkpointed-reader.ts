import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../../domain/index';

/**
 * Follows the log like a background projection, with the same checkpoints and the same parking, but does what it likes:
 * translates into client events, starts jobs. It is never rebuilt.
 */
export interface CheckpointedReader {
  readonly name: string;
  /** Where it starts in realms that exist when it is first seen. What must not be done for old events: at the head. */
  readonly begins: 'beginning' | 'head';
  /** Whether it has something to do for an event; left out: for all. The pages it gets have at least one of those. Pure. */
  hears?(event: Recorded): boolean;
  /** People wait for what it does: it takes its pages soon, and what others do with theirs does not hold it up. */
  readonly isUrgent?: boolean;
  /**
   * Handles events of one realm, in order and whole appends only. What it writes with the client commits together with
   * the checkpoint. Whatever else it does may happen again, after a rollback.
   */
  handle(events: readonly Recorded[], client: ClientBase): Promise<void>;
  /** Tells that everything up to a position has been handled and committed. For wake-ups only: it can be lost. */
  committed?(realmId: RealmId, position: Position): void;
}
