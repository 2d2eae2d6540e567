import type { ClientBase } from 'pg';
import type { Actor, Instant, Position, RealmId } from '../domain/index';
import type { QueueProfile } from './feed-definition';

/** A moment of a realm: all reads through `client` show the state after the event at `position`. */
export interface RegisterSnapshot {
  /** A connection in a REPEATABLE READ transaction. A block must not read in any other way. */
  readonly client: ClientBase;
  readonly realmId: RealmId;
  readonly position: Position;
  /** The time of the request. A block that asks for it is read for each request. */
  readonly at: Instant;
  readonly memory: BlockMemory;
}

/**
 * Memory of blocks in this process across requests, for parts that many answers share. A stored part must be true for
 * every snapshot that it is used for, and follows from read models that the block also reads for this snapshot.
 */
export interface BlockMemory {
  /** The value of a key, or a new one. */
  of<Value extends object>(key: string, create: () => Value): Value;
}

/** The parts of a `POST /register` that the state depends on (contract/realtime.md section 2). */
export interface RegisterOptions extends Pick<
  QueueProfile,
  'url' | 'clientGravatar' | 'includeSubscribers' | 'slimPresence' | 'capabilities'
> {
  /** The keys of the block that the client fetches; never empty. */
  readonly keys: ReadonlySet<string>;
  /** Oldest presence row to include, in days. */
  readonly presenceHistoryLimitDays: number;
  /** Whether organizations may open channels to visitors who are not logged in. */
  readonly webPublicChannels: boolean;
  /** Maximum size of an uploaded file in MiB. */
  readonly maxUploadMib: number;
  /** Upload quota of the organization in MiB; null for no limit. */
  readonly uploadQuotaMib: number | null;
  /** Whether the organization can send push notifications. */
  readonly pushNotifications: boolean;
  /** The ways to log in that the server offers an organization, by the first part of its host name. */
  readonly signIn: { methodsOf(subdomain: string): readonly string[] };
}

/**
 * A part of the answer to `POST /register` that does not follow from the log, such as who is online. It has no position,
 * so it is read beside the snapshot, and is not cached with the blocks.
 */
export interface CurrentBlock {
  /** Fetch keys, as those of a `RegisterBlock`. */
  readonly keys: readonly string[];
  /** @returns the fields of the answer by their names on the wire */
  read(by: Actor, options: RegisterOptions): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * A part of the answer to `POST /register` (contract/boot.md section 4), read by the context that owns it. What it answers is cached
 * until an event changes one of the read models that its statements name.
 */
export interface RegisterBlock {
  /**
   * Fetch keys of contract/realtime.md section 2.2. Each belongs to one block. `unread_msgs` is the key of the block
   * that needs both `message` and `update_message_flags`. `device` also stands for `devices`.
   */
  readonly keys: readonly string[];
  /** @returns the fields of the answer by their names on the wire */
  read(snapshot: RegisterSnapshot, by: Actor, options: RegisterOptions): Promise<Readonly<Record<string, unknown>>>;
}
