import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';

/** A message of one account to another one, which may be a bot. */
export interface PossibleQuery {
  readonly position: Position;
  readonly senderId: UserId;
  readonly accountId: UserId;
  readonly at: Instant;
}

/**
 * Rows `q` of those that people sent to active bots. The parameters of the statement are `queryValues`.
 *
 * @param bots view of the bots that are meant
 */
export const queriesSql = (bots: string): string =>
  `unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[]) AS q(position, sender_id, account_id, at)
      JOIN ${bots} AS k ON k.realm_id = $1 AND k.bot_id = q.account_id
      JOIN view.users AS b ON b.realm_id = $1 AND b.user_id = q.account_id AND b.is_active
      JOIN view.users AS s ON s.realm_id = $1 AND s.user_id = q.sender_id AND s.bot_type IS NULL`;

export const queryValues = (realmId: RealmId, queries: readonly PossibleQuery[]) => [
  realmId,
  queries.map(({ position }) => position),
  queries.map(({ senderId }) => senderId),
  queries.map(({ accountId }) => accountId),
  queries.map(({ at }) => at),
];
