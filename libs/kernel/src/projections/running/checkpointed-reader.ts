import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../../domain/index';

/**
 * Follows the log like a background projection, with checkpoints and parking, but may do anything, such as translating
 * into client events or adding jobs. It is never rebuilt.
 */
export interface CheckpointedReader {
  readonly name: string;
  /**
   * The start in realms that exist when the reader is first registered. A reader that must not handle old events begins
   * at the head.
   */
  readonly begins: 'beginning' | 'head';
  /** Whether an event concerns the reader; absent for all events. Each page has at least one such event. Pure. */
  concerns?(event: Recorded): boolean;
  /** Whether users wait for it. It then receives its pages early, and does not wait for the others. */
  readonly isUrgent?: boolean;
  /**
   * Handles events of one realm, in order and with whole appends. Writes through the client commit together with the
   * checkpoint. Other effects may be repeated after a rollback.
   */
  handle(events: readonly Recorded[], client: ClientBase): Promise<void>;
  /** Called when everything up to a position is handled and committed. For wake-ups only, as the call may be lost. */
  committed?(realmId: RealmId, position: Position): void;
}
