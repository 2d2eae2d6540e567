import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { QueueProfile } from '@annals/kernel';
import type { Cursor } from '../domain/event-id';
import type { Term } from '../domain/narrow';
import { wantsType } from '../domain/fetch-keys';

/** What a client asked for when it registered, as it is stored with the queue (contract/realtime.md section 2). */
export interface QueueWish extends Pick<
  QueueProfile,
  'applyMarkdown' | 'clientGravatar' | 'includeSubscribers' | 'slimPresence' | 'capabilities'
> {
  /** Types of events the queue gets; null for all. */
  readonly eventTypes: readonly string[] | null;
  /** Only `message` events are narrowed. */
  readonly narrow: readonly Term[];
  readonly allPublicStreams: boolean;
  /** The API key it was registered with; null when that is not known. */
  readonly keyId: number | null;
}

/** A client's queue: a cursor into its realm's client events, and what it wants of them. */
export class ClientQueue {
  private readonly types: ReadonlySet<string> | null;

  constructor(
    readonly realmId: RealmId,
    readonly id: string,
    readonly userId: UserId,
    /** Position of the snapshot its client began with. */
    readonly registered: Position,
    readonly registeredAt: Instant,
    readonly wish: QueueWish,
    /** As far as it was known to have been served when the row was last written. */
    readonly served: Cursor,
  ) {
    this.types = wish.eventTypes && new Set(wish.eventTypes);
  }

  wants(type: string): boolean {
    return wantsType(this.types, type);
  }
}
