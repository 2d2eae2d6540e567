import type { PoolClient } from 'pg';
import type { Database } from '@annals/kernel';
import { isCheckViolation, isLockTimeout } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';

/**
 * The time span of a partition. Each is dropped as a whole, so client events live up to this much longer than queues.
 */
const WEEK_MS = 7 * DAY_MS;
/** Partitions exist so many weeks before they begin. */
const AHEAD = 4;
/** Readers and writers of client events wait this long at most while a partition is added or dropped. */
const LOCK_MS = 500;
/** One process at a time adds and drops partitions. */
const LOCK_KEY = 7_265_331;

interface Partition {
  readonly name: string;
  /** ms since the epoch. Nothing in the partition is of this time or later. */
  readonly ends: number;
}

const PARTITIONS = `SELECT name, ends FROM (
    SELECT c.relname::text AS name, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\d+)''\\)')::int8 AS ends
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'client_events'::regclass
  ) AS partition WHERE ends IS NOT NULL ORDER BY ends`;

const IS_PARTITION = 'SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1)';

/**
 * Adds the partitions of `client_events` for this week and the next ones. A week of which client events are stored
 * already gets none: they stay in the partition of the rest.
 */
export async function addPartitions(database: Database, now: Instant): Promise<void> {
  const week = Math.floor(now / WEEK_MS);
  const { rows } = await database.pool.query<Partition>(PARTITIONS);
  const present = new Set(rows.map(({ name }) => name));
  for (let begins = week * WEEK_MS; begins <= (week + AHEAD) * WEEK_MS; begins += WEEK_MS) {
    const name = nameOf(begins);
    if (present.has(name)) continue;
    await changed(database, async (client) => {
      // Another process may have added it since they were listed.
      const { rowCount } = await client.query(IS_PARTITION, [name]);
      if (rowCount) return;
      await client.query(`CREATE TABLE IF NOT EXISTS ${name} (LIKE client_events_rest INCLUDING ALL)`);
      await client.query(
        `ALTER TABLE client_events ATTACH PARTITION ${name} FOR VALUES FROM (${begins}) TO (${begins + WEEK_MS})`,
      );
    });
  }
}

/**
 * Drops the partitions in which everything is older than a time, and stores for each realm up to which position its
 * client events are deleted.
 *
 * @param before ms since the epoch
 * @returns the names of the dropped ones
 */
export async function dropPartitions(database: Database, before: number): Promise<string[]> {
  const { rows } = await database.pool.query<Partition>(PARTITIONS);
  const dropped: string[] = [];
  for (const { name, ends } of rows) {
    if (ends > before) continue;
    const isDropped = await changed(database, async (client) => {
      // From here on nobody adds a row to it, and readers see the horizon together with what remains.
      await client.query(`LOCK TABLE ONLY client_events, ${name} IN ACCESS EXCLUSIVE MODE`);
      await client.query(
        `INSERT INTO client_event_horizons AS h (realm_id, position)
         SELECT head.realm_id, last.position FROM realm_heads AS head,
           LATERAL (SELECT max(position) AS position FROM ${name} WHERE realm_id = head.realm_id) AS last
         WHERE last.position IS NOT NULL
         ON CONFLICT (realm_id) DO UPDATE SET position = greatest(h.position, excluded.position)`,
      );
      await client.query(`DROP TABLE ${name}`);
    });
    if (isDropped) dropped.push(name);
  }
  return dropped;
}

const nameOf = (begins: number): string =>
  `client_events_${new Date(begins).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** @returns whether it was done. False if another process does it or holds a lock for long, or if rows forbid it */
async function changed(database: Database, change: (client: PoolClient) => Promise<unknown>): Promise<boolean> {
  try {
    return await database.transaction(`BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}`, async (client) => {
      const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [
        LOCK_KEY,
      ]);
      const isFree = rows[0]?.free === true;
      if (isFree) await change(client);
      return isFree;
    });
  } catch (error) {
    if (isLockTimeout(error) || isCheckViolation(error)) return false;
    throw error;
  }
}
