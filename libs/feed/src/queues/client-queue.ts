import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { QueueProfile } from '@annals/kernel';
import type { Cursor } from '../domain/event-id';
import type { QueueNarrowTerm } from '../domain/narrow';
import { wantsType } from '../domain/fetch-keys';

/** The options of a client's registration, which are stored with the queue (contract/realtime.md section 2). */
export interface QueueOptions extends Pick<
  QueueProfile,
  'applyMarkdown' | 'clientGravatar' | 'includeSubscribers' | 'slimPresence' | 'capabilities'
> {
  /** Types of events that the queue receives. Null for all. */
  readonly eventTypes: readonly string[] | null;
  /** Only `message` events are narrowed. */
  readonly narrow: readonly QueueNarrowTerm[];
  readonly allPublicStreams: boolean;
  /** The API key that the queue was registered with. Null if it is not known. */
  readonly keyId: number | null;
}

/** A client's queue: a cursor into the client events of its realm, and what it wants of them. */
export class ClientQueue {
  private readonly types: ReadonlySet<string> | null;

  constructor(
    readonly realmId: RealmId,
    readonly id: string,
    readonly userId: UserId,
    /** Position of the snapshot its client began with. */
    readonly registered: Position,
    readonly registeredAt: Instant,
    readonly options: QueueOptions,
    /** How far it was served when the row was last written. */
    readonly served: Cursor,
  ) {
    this.types = options.eventTypes && new Set(options.eventTypes);
  }

  wants(type: string): boolean {
    return wantsType(this.types, type);
  }
}
