import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { ConsumerRow } from './consumer-row';
import type { LogOffset } from './offsets';
import { completedAt, endOf } from './offsets';
import { readFailing } from './webhook/webhook-row';

/**
 * What a consumer does: it is offered events, it is paused, some of its events are parked or its webhook fails, or its owner
 * may not read them.
 */
export const STATES = ['active', 'paused', 'failing', 'refused'] as const;
export type ConsumerStatus = (typeof STATES)[number];

/** How far a consumer is. */
export interface ConsumerProgress {
  /** Everything up to it is acknowledged or skipped. */
  readonly position: Position;
  /** Positions that are neither settled nor parked. */
  readonly lagEvents: number;
  /** When the oldest of them was written. Null if there are none. */
  readonly oldest: Instant | null;
  readonly inFlight: number;
  readonly parked: number;
  /** Since when requests to its webhook fail. Null if they do not. */
  readonly failingSince: Instant | null;
}

interface Row {
  readonly id: number;
  readonly began: Position;
  readonly readTo: LogOffset;
  readonly inFlight: number;
  readonly parked: number;
  /** Before the first event that is not settled; null if all are. */
  readonly unsettled: LogOffset | null;
  /** The same without parked events, and what waits for them. */
  readonly unparked: LogOffset | null;
}

/** How far these consumers of one organization are. @param head its newest position */
export async function readProgress(
  client: Pool | ClientBase,
  realmId: RealmId,
  consumers: readonly ConsumerRow[],
  head: Position,
): Promise<Map<number, ConsumerProgress>> {
  const rows = new Map((await readRows(client, realmId, consumers)).map((row) => [row.id, row]));
  const failing = await readFailing(client, realmId);
  const offsets = consumers.map((consumer) => offsetsOf(consumer, rows.get(consumer.id)));
  const times = await readTimes(
    client,
    realmId,
    offsets.map(({ unparked }) => completedAt(unparked) + 1),
  );
  return new Map(
    consumers.map(({ id }, n): [number, ConsumerProgress] => {
      const { settled = 0, unparked = 0, inFlight = 0, parked = 0 } = offsets[n] ?? {};
      const done = completedAt(unparked);
      const lagEvents = Math.max(0, head - done);
      const oldest = lagEvents === 0 ? null : (times.get(done + 1) ?? null);
      const failingSince = failing.get(id) ?? null;
      return [id, { position: completedAt(settled), lagEvents, oldest, inFlight, parked, failingSince }];
    }),
  );
}

/** Rows from before the consumer was created or rewound do not count. */
function offsetsOf({ began, readsAfter }: ConsumerRow, row: Row | undefined) {
  if (row?.began !== began) {
    const start = endOf(readsAfter);
    return { settled: start, unparked: start, inFlight: 0, parked: 0 };
  }
  const { readTo, unsettled, unparked, inFlight, parked } = row;
  return { settled: unsettled ?? readTo, unparked: unparked ?? readTo, inFlight, parked };
}

async function readRows(
  client: Pool | ClientBase,
  realmId: RealmId,
  consumers: readonly ConsumerRow[],
): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>({
    name: 'consumers-progress',
    text: `SELECT p.consumer_id AS id, p.began, p.read_to AS "readTo", o."inFlight", o.parked,
        least(o.first, h.first) AS unsettled, least(o.unparked, h.unparked) AS unparked
      FROM consumer_positions AS p
      CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE state = 'leased'))::int4 AS "inFlight",
          (count(*) FILTER (WHERE state = 'parked'))::int4 AS parked, min(event_offset) - 1 AS first,
          min(event_offset) FILTER (WHERE state <> 'parked') - 1 AS unparked
        FROM consumer_offers AS x WHERE x.realm_id = p.realm_id AND x.consumer_id = p.consumer_id) AS o
      CROSS JOIN LATERAL (SELECT min(after_offset) AS first, min(after_offset) FILTER (WHERE NOT EXISTS (
          SELECT FROM consumer_offers AS b WHERE b.realm_id = p.realm_id AND b.consumer_id = p.consumer_id
            AND b.key = x.key AND b.state = 'parked')) AS unparked
        FROM consumer_held_keys AS x WHERE x.realm_id = p.realm_id AND x.consumer_id = p.consumer_id) AS h
      WHERE p.realm_id = $1 AND p.consumer_id = ANY($2::int8[])`,
    values: [realmId, consumers.map(({ id }) => id)],
  });
  return rows;
}

async function readTimes(
  client: Pool | ClientBase,
  realmId: RealmId,
  positions: readonly number[],
): Promise<Map<number, Instant>> {
  const { rows } = await client.query<{ position: number; at: Instant }>({
    name: 'consumers-times',
    text: 'SELECT position, at FROM events WHERE realm_id = $1 AND position = ANY($2::int8[])',
    values: [realmId, positions],
  });
  return new Map(rows.map(({ position, at }) => [position, at]));
}
