import type { Instant } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { WebhookAttempt } from '../../domain/webhook/attempt';
import type { ConsumerRow } from '../../read/consumer-row';
import { KEPT_DELIVERIES } from '../../read/webhook/deliveries';

/** An attempt that has ended. */
export interface EndedAttempt extends Pick<WebhookAttempt, 'status' | 'ms' | 'answer'> {
  readonly at: Instant;
  readonly attempt: number;
}

/** Stores an attempt in the slot of the oldest one. `b` is the row whose `deliveries` count it. */
export const DELIVERED_SQL = `INSERT INTO consumer_deliveries AS d
    (realm_id, consumer_id, slot, number, message_id, at, attempt, status, ms, answer)
  SELECT $1::int4, $2::int8, b.deliveries % ${KEPT_DELIVERIES}, b.deliveries, $3::text, $4::int8, $5::int4, $6::int4, $7::int4, $8::text FROM b
  ON CONFLICT (realm_id, consumer_id, slot) DO UPDATE SET number = excluded.number, message_id = excluded.message_id,
    at = excluded.at, attempt = excluded.attempt, status = excluded.status, ms = excluded.ms, answer = excluded.answer`;

/** The first parameters of `DELIVERED_SQL`. */
export const deliveredValues = ({ realmId, id }: ConsumerRow, messageId: string, ended: EndedAttempt) =>
  [realmId, id, messageId, ended.at, ended.attempt, ended.status, ended.ms, ended.answer] as const;

/** Records an attempt that is none of the events of a consumer. */
export async function recordDelivery(
  pool: Pool,
  consumer: ConsumerRow,
  messageId: string,
  ended: EndedAttempt,
): Promise<void> {
  await pool.query({
    name: 'consumers-record-delivery',
    text: `WITH b AS (INSERT INTO consumer_batches AS s (realm_id, consumer_id, began, fresh_since, failures, due_at,
          reported, holder, held_until, deliveries) VALUES ($1, $2, 0, 0, 0, 0, 0, '', 0, 1)
        ON CONFLICT (realm_id, consumer_id) DO UPDATE SET deliveries = s.deliveries + 1 RETURNING deliveries)
      ${DELIVERED_SQL}`,
    values: [...deliveredValues(consumer, messageId, ended)],
  });
}
