import type { FeedReader } from '@annals/kernel';
import type { Actor, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';

/**
 * Which users a restricted guest can see (contract/permissions.md section 7): users with a common channel or
 * conversation, and all bots. A context that knows channels and conversations provides it.
 */
export abstract class UserAccess {
  /** Those of these accounts that the actor may not see. Costs a query for restricted guests only. */
  abstract inaccessibleAmong<Id extends number>(actor: Actor, userIds: readonly Id[]): Promise<ReadonlySet<Id>>;

  /** Whether the actor may see every account. Costs no query. */
  abstract canAccessAll(actor: Actor): Promise<boolean>;

  /** @returns null for an actor who may see all users */
  abstract accessibleTo(actor: Actor): Promise<ReadonlySet<UserId> | null>;

  /** `inaccessibleAmong` for the read models that a client shows, perhaps those of the past. */
  abstract inaccessibleIn<Id extends number>(
    client: ClientBase,
    actor: Actor,
    userIds: readonly Id[],
  ): Promise<ReadonlySet<Id>>;

  /** `accessibleTo` in the same way. */
  abstract accessibleIn(client: ClientBase, actor: Actor): Promise<ReadonlySet<UserId> | null>;
}

/** The users whom a restricted guest can see in a snapshot, with the guest. */
export type ReadAccessibleUsers = (client: ClientBase, realmId: RealmId, guest: UserId) => Promise<ReadonlySet<UserId>>;

/** Accounts as guests could see them at positions of the log. */
export interface UserAccessHistory {
  /** All accounts of the query, ascending. An account is not visible before it exists. */
  readonly people: readonly UserId[];
  /** Whether a viewer could see an account right after the event at a position. */
  canAccess(viewer: UserId, person: UserId, position: Position): boolean;
}

/** A query about these accounts, or all of them, at positions from `from` to `to`. */
export interface UserAccessQuery {
  readonly viewers: readonly UserId[];
  /** Null for all. */
  readonly people: readonly UserId[] | null;
  readonly from: Position;
  readonly to: Position;
}

export type ReadUserAccessHistory = (reader: FeedReader, asked: UserAccessQuery) => Promise<UserAccessHistory>;
