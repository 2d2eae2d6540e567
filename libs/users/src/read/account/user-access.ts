import type { FeedReader } from '@annals/kernel';
import type { Actor, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';

/**
 * Whom guests know where they may not see everybody (contract/permissions.md section 7): those with whom they share a
 * channel or a conversation, and all bots. A context that knows of channels and conversations provides it.
 */
export abstract class UserAccess {
  /** Those among these accounts whom the actor may not see; costs a query for restricted guests alone. */
  abstract inaccessibleAmong<Id extends number>(actor: Actor, userIds: readonly Id[]): Promise<ReadonlySet<Id>>;

  /** Whether the actor may see every account; costs no query. */
  abstract canAccessAll(actor: Actor): Promise<boolean>;

  /** @returns null for who may see everybody */
  abstract accessibleTo(actor: Actor): Promise<ReadonlySet<UserId> | null>;
}

/** Those a restricted guest knows, as a snapshot shows it; the guest is among them. */
export type ReadAccessibleUsers = (client: ClientBase, realmId: RealmId, guest: UserId) => Promise<ReadonlySet<UserId>>;

/** Accounts as guests could see them at positions of the log. */
export interface UserAccessHistory {
  /** All accounts that were asked about, ascending; those that did not exist yet at a position were not seen there. */
  readonly people: readonly UserId[];
  /** Whether somebody could see an account right after the event at a position. */
  canAccess(viewer: UserId, person: UserId, position: Position): boolean;
}

/** What is asked about: these accounts, or all of them, at positions from `from` to `to`. */
export interface UserAccessQuery {
  readonly viewers: readonly UserId[];
  /** Null for all. */
  readonly people: readonly UserId[] | null;
  readonly from: Position;
  readonly to: Position;
}

export type ReadUserAccessHistory = (reader: FeedReader, asked: UserAccessQuery) => Promise<UserAccessHistory>;
