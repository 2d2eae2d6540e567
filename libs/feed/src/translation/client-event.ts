import type { Instant } from '@annals/kernel/domain';
import type { PlacedClientEvent } from '@annals/kernel';

/** A client event as it is stored, with the time of its domain event. */
export interface StoredClientEvent extends PlacedClientEvent {
  readonly at: Instant;
}
