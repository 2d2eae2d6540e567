import type { Database } from '@annals/kernel';
import type { Instant, Position } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { forgetOffers, lockPosition, saveReadTo } from '../../application/pull/offer-rows';
import type { EndedAttempt } from '../../application/webhook/delivery-rows';
import { DELIVERED_SQL, deliveredValues } from '../../application/webhook/delivery-rows';
import type { ConsumerRow } from '../../read/consumer-row';
import type { LogOffset } from '../../read/offsets';

/** How the server sends events of a consumer, to a webhook or into a sink. */
export interface PushMode {
  readonly kind: 'webhook' | 'sink';
  /** Most events of a batch. */
  readonly most: number;
  /** Position of the event since which no earlier failure makes it wait. */
  readonly freshSince: Position;
}

/** A consumer whose events the server sends. */
export type PushedConsumer = ConsumerRow & { readonly push: PushMode };

/** Most events of a request to a webhook (contract/feed.md section 6), and of what is given to an engine at once. */
const MOST_SENT = 100;
const MOST_STORED = 200;

/** Null if workers pull its events. */
export function pushed(consumer: ConsumerRow): PushedConsumer | null {
  const { webhook, sink } = consumer;
  if (webhook) return { ...consumer, push: { kind: 'webhook', most: webhook.batch ? MOST_SENT : 1, ...webhook } };
  return sink && { ...consumer, push: { kind: 'sink', most: MOST_STORED, ...sink } };
}

/** Events that are sent in one request until it is acknowledged. */
export interface StoredBatch {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly offsets: readonly LogOffset[];
  /** Everything up to it is settled with the events. */
  readonly through: LogOffset;
}

/** What a worker finds when it leases a consumer. */
export interface LeasedPush {
  /** Everything up to it is acknowledged. */
  readonly readTo: LogOffset;
  readonly batch: StoredBatch | null;
  /** Attempts of the batch that failed. */
  readonly failures: number;
  readonly dueAt: Instant;
}

/** The right of a process to send the events of a consumer, until a time. */
export interface PushLease {
  readonly holder: string;
  readonly now: Instant;
  readonly until: Instant;
}

interface Row {
  readonly began: Position;
  readonly freshSince: Position;
  readonly id: string | null;
  readonly offsets: LogOffset[] | null;
  readonly through: LogOffset | null;
  readonly failures: number;
  readonly dueAt: Instant;
}

/**
 * Leases a consumer to a process. What workers were offered and did not acknowledge before is sent to the webhook.
 *
 * @returns null if another process sends its events, or it has changed since it was read
 */
export function leasePush(
  database: Pick<Database, 'transaction'>,
  consumer: PushedConsumer,
  lease: PushLease,
): Promise<LeasedPush | null> {
  return database.transaction('BEGIN', async (client) => {
    const row = await takeLease(client, consumer, lease);
    if (!row || row.began > consumer.began || row.freshSince > consumer.push.freshSince) return null;
    const readTo = await lockPosition(client, consumer);
    if (readTo === null) return null;
    const settled = await settleOffers(client, consumer);
    // Workers may have pulled its events since the webhook was ended, and acknowledged them.
    const isPassed = row.offsets?.some((offset) => offset <= readTo) ?? false;
    const isOutdated = row.began !== consumer.began || settled !== null || isPassed;
    const isFresh = row.freshSince === consumer.push.freshSince && row.began === consumer.began;
    const batch = isOutdated ? null : storedBatch(row, consumer.push);
    if (isOutdated || !isFresh) await begin(client, consumer, batch, lease.now);
    const [failures, dueAt] = isFresh && !isOutdated ? [row.failures, row.dueAt] : [0, lease.now];
    return { readTo: settled ?? readTo, batch, failures, dueAt };
  });
}

function storedBatch({ id, offsets, through }: Row, { most }: PushMode): StoredBatch | null {
  if (id === null || offsets === null || through === null) return null;
  return offsets.length > most ? null : { id, offsets, through };
}

async function takeLease(client: ClientBase, consumer: PushedConsumer, lease: PushLease): Promise<Row | undefined> {
  const { realmId, id, began, push } = consumer;
  const { rows } = await client.query<Row>({
    name: 'consumers-lease-push',
    text: `INSERT INTO consumer_batches AS b (realm_id, consumer_id, began, fresh_since, failures, due_at, reported,
        holder, held_until, deliveries) VALUES ($1, $2, $3, $4, 0, $6, 0, $5, $7, 0)
      ON CONFLICT (realm_id, consumer_id) DO UPDATE SET holder = $5, held_until = $7
        WHERE b.holder = $5 OR b.held_until <= $6
      RETURNING began, fresh_since AS "freshSince", message_id AS id, offsets, through, failures, due_at AS "dueAt"`,
    values: [realmId, id, began, push.freshSince, lease.holder, lease.now, lease.until],
  });
  return rows[0];
}

/** Begins again without failures: the consumer began again, or its webhook was set or resumed. */
async function begin(
  client: ClientBase,
  { realmId, id, began, push }: PushedConsumer,
  batch: StoredBatch | null,
  now: Instant,
): Promise<void> {
  await client.query({
    name: 'consumers-begin-push',
    text: `UPDATE consumer_batches SET began = $3, fresh_since = $4, failures = 0, due_at = $5, failing_since = NULL,
        reported = 0, message_id = $6, offsets = $7, through = $8 WHERE realm_id = $1 AND consumer_id = $2`,
    values: [realmId, id, began, push.freshSince, now, batch?.id, batch?.offsets, batch?.through],
  });
}

/**
 * Takes a locked consumer back before the first event that was offered to workers and is not acknowledged.
 *
 * @returns how far it has read then. Null if there was none
 */
async function settleOffers(client: ClientBase, consumer: PushedConsumer): Promise<LogOffset | null> {
  const { rows } = await client.query<{ first: LogOffset | null }>({
    name: 'consumers-first-offer',
    text: `SELECT least(
        (SELECT min(event_offset) - 1 FROM consumer_offers WHERE realm_id = $1 AND consumer_id = $2),
        (SELECT min(after_offset) FROM consumer_held_keys WHERE realm_id = $1 AND consumer_id = $2)) AS first`,
    values: [consumer.realmId, consumer.id],
  });
  const first = rows[0]?.first ?? null;
  if (first === null) return null;
  await forgetOffers(client, consumer);
  await saveReadTo(client, consumer, first);
  return first;
}

/** Fixes the events of a request before its first attempt. @returns false if another process has the lease */
export async function storeBatch(
  pool: Pool,
  { realmId, id }: PushedConsumer,
  batch: StoredBatch,
  { holder, now, until }: PushLease,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'consumers-store-batch',
    text: `UPDATE consumer_batches SET message_id = $4, offsets = $5::int8[], through = $6, failures = 0, due_at = $7,
        held_until = $8 WHERE realm_id = $1 AND consumer_id = $2 AND holder = $3 AND message_id IS NULL`,
    values: [realmId, id, holder, batch.id, batch.offsets, batch.through, now, until],
  });
  return rowCount === 1;
}

/**
 * Settles a batch whose request was acknowledged. Nothing happens if another process has the lease.
 *
 * @returns whether the position of the consumer is that of the batch now
 */
export async function settleBatch(
  pool: Pool,
  consumer: PushedConsumer,
  batch: StoredBatch,
  { holder, from, ended }: { readonly holder: string; readonly from: LogOffset; readonly ended: EndedAttempt },
): Promise<boolean> {
  const { rows } = await pool.query<{ moved: number }>({
    name: 'consumers-settle-batch',
    text: `WITH b AS (UPDATE consumer_batches SET message_id = NULL, offsets = NULL, through = NULL, failures = 0,
          failing_since = NULL, reported = 0, deliveries = deliveries + 1
        WHERE realm_id = $1 AND consumer_id = $2 AND holder = $9 AND message_id = $3 RETURNING deliveries),
      p AS (UPDATE consumer_positions AS p SET read_to = $11 FROM b
        WHERE p.realm_id = $1 AND p.consumer_id = $2 AND p.began = $12 AND p.read_to = $10 RETURNING 1)
      ${DELIVERED_SQL} RETURNING (SELECT count(*)::int4 FROM p) AS moved`,
    values: [...deliveredValues(consumer, batch.id, ended), holder, from, batch.through, consumer.began],
  });
  return rows[0]?.moved === 1;
}

/** Settles what is left of a batch when the consumer gets none of its events any more. */
export async function dropBatch(
  pool: Pool,
  { realmId, id, began }: PushedConsumer,
  batch: StoredBatch,
  { holder, from }: { readonly holder: string; readonly from: LogOffset },
): Promise<void> {
  await pool.query({
    name: 'consumers-drop-batch',
    text: `WITH b AS (UPDATE consumer_batches SET message_id = NULL, offsets = NULL, through = NULL, failures = 0,
          failing_since = NULL, reported = 0
        WHERE realm_id = $1 AND consumer_id = $2 AND holder = $4 AND message_id = $3 RETURNING 1)
      UPDATE consumer_positions AS p SET read_to = $6 FROM b
        WHERE p.realm_id = $1 AND p.consumer_id = $2 AND p.began = $7 AND p.read_to = $5`,
    values: [realmId, id, batch.id, holder, from, batch.through, began],
  });
}

/** Schedules another attempt of a batch. Nothing happens if another process has the lease. */
export async function postponeBatch(
  pool: Pool,
  consumer: PushedConsumer,
  batch: StoredBatch,
  { holder, dueAt, ended }: { readonly holder: string; readonly dueAt: Instant; readonly ended: EndedAttempt },
): Promise<void> {
  await pool.query({
    name: 'consumers-postpone-batch',
    text: `WITH b AS (UPDATE consumer_batches SET failures = failures + 1, due_at = $10,
          failing_since = coalesce(failing_since, $4), deliveries = deliveries + 1
        WHERE realm_id = $1 AND consumer_id = $2 AND holder = $9 AND message_id = $3 RETURNING deliveries)
      ${DELIVERED_SQL}`,
    values: [...deliveredValues(consumer, batch.id, ended), holder, dueAt],
  });
}

/** Lets other processes send at once what this one has leased. */
export async function releasePushes(pool: Pool, holder: string): Promise<void> {
  await pool.query('UPDATE consumer_batches SET held_until = 0 WHERE holder = $1', [holder]);
}

/** Settles what has no events for a consumer, if its position is still the same. */
export async function saveScanned(
  pool: Pool,
  { realmId, id, began }: PushedConsumer,
  readTo: LogOffset,
  through: LogOffset,
): Promise<void> {
  await pool.query({
    name: 'consumers-save-scanned',
    text: `UPDATE consumer_positions SET read_to = $5
      WHERE realm_id = $1 AND consumer_id = $2 AND began = $3 AND read_to = $4`,
    values: [realmId, id, began, readTo, through],
  });
}
