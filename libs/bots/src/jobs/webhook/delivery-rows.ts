import type { Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { isActiveSql, realmsWithDue } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import type { PossibleQuery } from '../possible-queries';
import { queriesSql, queryValues } from '../possible-queries';

/** A message that must be sent to the program behind a bot. */
export interface Delivery {
  readonly realmId: RealmId;
  readonly botId: UserId;
  /** Of the message. */
  readonly position: Position;
  readonly attempts: number;
}

/** A delivery that this process has leased. */
export interface LeasedDelivery extends Delivery {
  /** Expiry of the lease, which identifies it: another process can only lease it later, with a later expiry. */
  readonly until: Instant;
}

/** Adds a delivery for each message of a person to an active bot with a webhook. Repeating it changes nothing. */
export async function addDeliveries(
  client: ClientBase,
  realmId: RealmId,
  queries: readonly PossibleQuery[],
): Promise<number> {
  if (queries.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'bots-add-deliveries',
    text: `INSERT INTO bot_deliveries (realm_id, bot_id, position, at, attempts, due_at)
      SELECT $1, q.account_id, q.position, q.at, 0, q.at
      FROM ${queriesSql('view.bot_webhooks')}
      ON CONFLICT DO NOTHING`,
    values: queryValues(realmId, queries),
  });
  return rowCount ?? 0;
}

/** The bots with a webhook. */
export async function readWebhookBots(client: ClientBase, realmId: RealmId): Promise<UserId[]> {
  const { rows } = await client.query<{ id: UserId }>({
    name: 'bots-webhook-bots',
    text: 'SELECT bot_id AS id FROM view.bot_webhooks WHERE realm_id = $1',
    values: [realmId],
  });
  return rows.map(({ id }) => id);
}

/** Organizations with deliveries that are due. Those of an earlier message may hold them up. */
export const REALMS_TO_DELIVER = realmsWithDue('bot-deliveries', 'bot_deliveries', 't.due_at <= $1');

/** Leases due deliveries until a time, the oldest first. A bot gets its messages in order: only the first one may be leased. */
export async function leaseDeliveries(
  pool: Pool,
  realmId: RealmId,
  lease: { readonly now: Instant; readonly until: Instant; readonly limit: number },
): Promise<LeasedDelivery[]> {
  const { rows } = await pool.query<Delivery>({
    name: 'bots-lease-deliveries',
    text: `UPDATE bot_deliveries AS d SET due_at = $3 FROM (
        SELECT f.bot_id, f.position FROM bot_deliveries AS f WHERE f.realm_id = $1 AND f.due_at <= $2
          AND ${isActiveSql('$1')} AND NOT EXISTS (SELECT FROM bot_deliveries AS e
            WHERE e.realm_id = f.realm_id AND e.bot_id = f.bot_id AND e.position < f.position)
        ORDER BY f.due_at, f.position LIMIT $4 FOR UPDATE SKIP LOCKED) AS taken
      WHERE d.realm_id = $1 AND d.bot_id = taken.bot_id AND d.position = taken.position
      RETURNING d.realm_id AS "realmId", d.bot_id AS "botId", d.position, d.attempts`,
    values: [realmId, lease.now, lease.until, lease.limit],
  });
  return rows.map((delivery) => ({ ...delivery, until: lease.until }));
}

const IS_LEASED_SQL = 'realm_id = $1 AND bot_id = $2 AND position = $3 AND due_at = $4';
const leaseKey = ({ realmId, botId, position, until }: LeasedDelivery) => [realmId, botId, position, until] as const;

/** Deletes a delivery that is done, unless another process has leased it meanwhile. */
export async function completeDelivery(pool: Pool, delivery: LeasedDelivery): Promise<void> {
  await pool.query({
    name: 'bots-complete-delivery',
    text: `DELETE FROM bot_deliveries WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(delivery)],
  });
}

/** Schedules another attempt, unless another process has leased it meanwhile. */
export async function postponeDelivery(
  pool: Pool,
  delivery: LeasedDelivery,
  { attempts, to }: { readonly attempts: number; readonly to: Instant },
): Promise<void> {
  await pool.query({
    name: 'bots-postpone-delivery',
    text: `UPDATE bot_deliveries SET attempts = $5, due_at = $6 WHERE ${IS_LEASED_SQL}`,
    values: [...leaseKey(delivery), attempts, to],
  });
}

/** Time since which the oldest delivery waits. Null without any. */
export async function readOldestDelivery(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'bots-oldest-delivery',
    text: `SELECT min(d.at) AS at FROM bot_deliveries AS d WHERE ${isActiveSql('d.realm_id')}`,
  });
  return rows[0]?.at ?? null;
}
