import { binaryArray } from '@annals/kernel';
import type { Instant, Position } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { Offer, OfferChanges, OfferState } from '../../domain/offers';
import type { ConsumerRow } from '../../read/consumer-row';
import type { LogOffset } from '../../read/offsets';
import { endOf } from '../../read/offsets';

type Key = Pick<ConsumerRow, 'realmId' | 'id'>;

/**
 * Locks the position of a consumer until the transaction ends, and reads it. What an earlier consumer of the same id had,
 * before it was rewound, is deleted.
 *
 * @returns how far it has read. Null if it was rewound since the consumer was read
 */
export async function lockPosition(client: ClientBase, consumer: ConsumerRow): Promise<LogOffset | null> {
  const { realmId, id, began, readsAfter } = consumer;
  await client.query({
    name: 'consumers-begin',
    text: `INSERT INTO consumer_positions (realm_id, consumer_id, began, read_to) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING`,
    values: [realmId, id, began, endOf(readsAfter)],
  });
  const { rows } = await client.query<{ began: Position; readTo: LogOffset }>({
    name: 'consumers-lock',
    text: `SELECT began, read_to AS "readTo" FROM consumer_positions WHERE realm_id = $1 AND consumer_id = $2 FOR UPDATE`,
    values: [realmId, id],
  });
  const row = rows[0];
  if (!row || row.began > began) return null;
  if (row.began === began) return row.readTo;
  await forgetOffers(client, consumer);
  await client.query(
    'UPDATE consumer_positions SET began = $3, read_to = $4 WHERE realm_id = $1 AND consumer_id = $2',
    [realmId, id, began, endOf(readsAfter)],
  );
  return endOf(readsAfter);
}

/** Forgets what was offered and not settled. */
export async function forgetOffers(client: ClientBase, { realmId, id }: Key): Promise<void> {
  for (const table of ['consumer_offers', 'consumer_held_keys'])
    await client.query(`DELETE FROM ${table} WHERE realm_id = $1 AND consumer_id = $2`, [realmId, id]);
}

export async function saveReadTo(client: ClientBase, { realmId, id }: Key, readTo: LogOffset): Promise<void> {
  await client.query({
    name: 'consumers-read-to',
    text: 'UPDATE consumer_positions SET read_to = $3 WHERE realm_id = $1 AND consumer_id = $2',
    values: [realmId, id, readTo],
  });
}

/** The offers of a locked consumer. Of those that are parked only the keys matter, because there may be many. */
export async function readOffers(client: ClientBase, { realmId, id }: Key): Promise<OfferState> {
  const offers = await client.query<Offer>({
    name: 'consumers-offers',
    text: `SELECT event_offset AS "offset", key, state, worker, since, until, attempts FROM consumer_offers
      WHERE realm_id = $1 AND consumer_id = $2 AND state <> 'parked'`,
    values: [realmId, id],
  });
  const parked = await client.query<{ key: string }>({
    name: 'consumers-parked-keys',
    text: `SELECT DISTINCT key FROM consumer_offers WHERE realm_id = $1 AND consumer_id = $2 AND state = 'parked'`,
    values: [realmId, id],
  });
  const held = await client.query<{ key: string; after: LogOffset }>({
    name: 'consumers-held-keys',
    text: 'SELECT key, after_offset AS after FROM consumer_held_keys WHERE realm_id = $1 AND consumer_id = $2',
    values: [realmId, id],
  });
  return {
    offers: offers.rows,
    parkedKeys: parked.rows.map(({ key }) => key),
    heldKeys: new Map(held.rows.map(({ key, after }) => [key, after])),
  };
}

/** Stores what became of the offers of a locked consumer. @returns whether anything did */
export async function saveOffers(client: ClientBase, consumer: Key, changes: OfferChanges): Promise<boolean> {
  const { saved, removed, heldKeys, releasedKeys } = changes;
  if (removed.length > 0) await removeOffers(client, consumer, removed);
  if (saved.length > 0) await upsertOffers(client, consumer, saved);
  if (releasedKeys.length > 0) await releaseKeys(client, consumer, releasedKeys);
  if (heldKeys.size > 0) await holdKeys(client, consumer, heldKeys);
  return saved.length + removed.length + heldKeys.size + releasedKeys.length > 0;
}

async function removeOffers(client: ClientBase, { realmId, id }: Key, offsets: readonly LogOffset[]): Promise<void> {
  await client.query({
    name: 'consumers-remove-offers',
    text: `DELETE FROM consumer_offers WHERE realm_id = $1 AND consumer_id = $2 AND event_offset = ANY($3::int8[])`,
    values: [realmId, id, binaryArray('int8', offsets)],
  });
}

async function releaseKeys(client: ClientBase, { realmId, id }: Key, keys: readonly string[]): Promise<void> {
  await client.query({
    name: 'consumers-release-keys',
    text: 'DELETE FROM consumer_held_keys WHERE realm_id = $1 AND consumer_id = $2 AND key = ANY($3::text[])',
    values: [realmId, id, binaryArray('text', keys)],
  });
}

async function holdKeys(client: ClientBase, { realmId, id }: Key, held: ReadonlyMap<string, LogOffset>): Promise<void> {
  await client.query({
    name: 'consumers-hold-keys',
    text: `INSERT INTO consumer_held_keys (realm_id, consumer_id, key, after_offset)
      SELECT $1, $2, h.* FROM unnest($3::text[], $4::int8[]) AS h
      ON CONFLICT (realm_id, consumer_id, key) DO UPDATE SET after_offset = excluded.after_offset`,
    values: [realmId, id, binaryArray('text', [...held.keys()]), binaryArray('int8', [...held.values()])],
  });
}

async function upsertOffers(client: ClientBase, { realmId, id }: Key, offers: readonly Offer[]): Promise<void> {
  const column = (type: 'int4' | 'int8' | 'text', of: (offer: Offer) => string | number) =>
    binaryArray(type, offers.map(of));
  await client.query({
    name: 'consumers-save-offers',
    text: `INSERT INTO consumer_offers (realm_id, consumer_id, event_offset, key, state, worker, since, until, attempts)
      SELECT $1, $2, o.* FROM
        unnest($3::int8[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::int8[], $9::int4[]) AS o
      ON CONFLICT (realm_id, consumer_id, event_offset) DO UPDATE SET state = excluded.state, worker = excluded.worker,
        since = excluded.since, until = excluded.until, attempts = excluded.attempts`,
    values: [
      realmId,
      id,
      column('int8', ({ offset }) => offset),
      column('text', ({ key }) => key),
      column('text', ({ state }) => state),
      column('text', ({ worker }) => worker),
      column('int8', ({ since }) => since),
      column('int8', ({ until }) => until),
      column('int4', ({ attempts }) => attempts),
    ],
  });
}

/** Which parked events: all, or those at some offsets. */
export type WhichParked = 'all' | readonly LogOffset[];

/** Lets parked events of a locked consumer be offered again, as if they had never failed. @returns how many */
export async function replayParked(client: ClientBase, key: Key, which: WhichParked, now: Instant): Promise<number> {
  const { rowCount } = await client.query({
    name: 'consumers-replay',
    text: `UPDATE consumer_offers SET state = 'waiting', attempts = 0, since = $4, until = $4
      WHERE realm_id = $1 AND consumer_id = $2 AND state = 'parked' AND ($3::int8[] IS NULL OR event_offset = ANY($3))`,
    values: [key.realmId, key.id, which === 'all' ? null : which, now],
  });
  return rowCount ?? 0;
}

/** Settles parked events of a locked consumer. @returns how many */
export async function skipParked(client: ClientBase, key: Key, which: WhichParked): Promise<number> {
  const { rowCount } = await client.query({
    name: 'consumers-skip',
    text: `DELETE FROM consumer_offers WHERE realm_id = $1 AND consumer_id = $2 AND state = 'parked'
      AND ($3::int8[] IS NULL OR event_offset = ANY($3))`,
    values: [key.realmId, key.id, which === 'all' ? null : which],
  });
  return rowCount ?? 0;
}

const OF_CONSUMERS = [
  'consumer_offers',
  'consumer_held_keys',
  'consumer_positions',
  'consumer_batches',
  'consumer_deliveries',
];

/** Deletes what is left of deleted consumers of an organization. */
export async function forgetDeleted(client: ClientBase, realmId: number): Promise<void> {
  for (const table of OF_CONSUMERS)
    await client.query(
      `DELETE FROM ${table} AS x WHERE x.realm_id = $1 AND NOT EXISTS (SELECT FROM view.consumers AS c
        WHERE c.realm_id = x.realm_id AND c.consumer_id = x.consumer_id)`,
      [realmId],
    );
}
