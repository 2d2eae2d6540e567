import type { ClientBase } from 'pg';
import type { Actor, Instant, Position, RealmId } from '../domain/index';
import type { QueueProfile } from './feed-definition';

/** One moment of a realm: everything read through `client` shows the state after the event at `position`. */
export interface RegisterSnapshot {
  /** A connection inside one REPEATABLE READ transaction; a block must read through it and nothing else. */
  readonly client: ClientBase;
  readonly realmId: RealmId;
  readonly position: Position;
  /** The time of the request. */
  readonly at: Instant;
  readonly memory: BlockMemory;
}

/**
 * What blocks remember in this process from one request to the next: parts that many share. What is remembered must be
 * true for the snapshot at hand, whichever it was read from.
 */
export interface BlockMemory {
  /** What is kept under a key, or a new one. */
  of<Kept extends object>(key: string, create: () => Kept): Kept;
}

/** What the client asked of `POST /register` that the state depends on (contract/realtime.md section 2). */
export interface RegisterOptions extends Pick<
  QueueProfile,
  'url' | 'clientGravatar' | 'includeSubscribers' | 'slimPresence' | 'capabilities'
> {
  /** Those of the block's own keys that the client fetches; never empty. */
  readonly keys: ReadonlySet<string>;
  /** Oldest presence row to include, in days. */
  readonly presenceHistoryLimitDays: number;
  /** Whether the server lets organizations open channels to visitors who are not logged in. */
  readonly webPublicChannels: boolean;
  /** Greatest size of one uploaded file in MiB. */
  readonly maxUploadMib: number;
  /** What all files of the organization may have together in MiB; null for no limit. */
  readonly uploadQuotaMib: number | null;
}

/** A part of the state that `POST /register` answers (contract/boot.md section 4), read by the context that owns it. */
export interface RegisterBlock {
  /**
   * Fetch keys of contract/realtime.md section 2.2; each belongs to one block. `unread_msgs` stands for the block that
   * needs both `message` and `update_message_flags`, `device` for `devices` too.
   */
  readonly keys: readonly string[];
  /** @returns the fields of the answer, each under its name on the wire */
  read(snapshot: RegisterSnapshot, by: Actor, options: RegisterOptions): Promise<Readonly<Record<string, unknown>>>;
}
