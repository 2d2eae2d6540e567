import type { Instant } from '@annals/kernel/domain';
import type { PositionedClientEvent } from '@annals/kernel';

/** A client event as it is stored, with the time of its domain event. */
export interface StoredClientEvent extends PositionedClientEvent {
  readonly at: Instant;
}
