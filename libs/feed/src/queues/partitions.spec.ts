import type { Pool } from 'pg';
import type { Database } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import type { ToyFeed } from '../spec-support/toy-feed';
import { openToyFeed, realm } from '../spec-support/toy-feed';
import { addPartitions, dropPartitions } from './partitions';

const WEEK_MS = 7 * 86_400_000;
/** 2026-11-19, on which a partition begins. */
const THURSDAY = 2_968 * WEEK_MS;
const MONDAY = (THURSDAY + 4 * 86_400_000) as Instant;
const NAMES = ['20261119', '20261126', '20261203', '20261210', '20261217'].map((day) => `client_events_${day}`);

let toy: ToyFeed;
let database: Database;
let pool: Pool;
beforeEach(async () => {
  toy = await openToyFeed();
  ({ database } = toy.first.kernel);
  ({ pool } = database);
});
afterEach(() => toy.close());

const store = (realmId: number, position: number, at: number) =>
  pool.query(`INSERT INTO client_events VALUES ($1, $2, 0, 'message', '{"kind":"everyone"}', '{}', $3)`, [
    realmId,
    position,
    at,
  ]);
const stored = async () => {
  const { rows } = await pool.query<{ name: string; position: number }>(
    'SELECT tableoid::regclass::text AS name, position FROM client_events ORDER BY position',
  );
  return rows.map(({ name, position }) => [name, position]);
};
const partitions = async () => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'client_events'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};
const horizons = async () => {
  const { rows } = await pool.query<object>('SELECT realm_id, position FROM client_event_horizons ORDER BY realm_id');
  return rows;
};

describe('partitions of client events', () => {
  it('exist for this week and the next four, however often and by whichever process they are added', async () => {
    await Promise.all([addPartitions(database, MONDAY), addPartitions(database, MONDAY)]);
    await addPartitions(database, MONDAY);
    expect(await partitions()).toEqual([...NAMES, 'client_events_rest']);
  });

  it('contain the events of their week, and the rest contains those without a partition', async () => {
    await addPartitions(database, MONDAY);
    const times = [THURSDAY - 1, THURSDAY, THURSDAY + WEEK_MS - 1, THURSDAY + WEEK_MS, THURSDAY + 9 * WEEK_MS];
    for (const [n, at] of times.entries()) await store(realm, n + 1, at);
    expect(await stored()).toEqual([
      ['client_events_rest', 1],
      [NAMES[0], 2],
      [NAMES[0], 3],
      [NAMES[1], 4],
      ['client_events_rest', 5],
    ]);
  });

  it('are not added for a week of which events are stored already', async () => {
    await store(realm, 1, THURSDAY + WEEK_MS);
    await addPartitions(database, MONDAY);
    expect(await partitions()).toEqual([NAMES[0], ...NAMES.slice(2), 'client_events_rest']);
    expect(await stored()).toEqual([['client_events_rest', 1]]);
  });

  it('are dropped when everything in them is old, and each realm has the position up to which its events are deleted', async () => {
    const other = realm + 1;
    await pool.query(
      `INSERT INTO realm_heads SELECT (jsonb_populate_record(h, jsonb_build_object('realm_id', $1::int4))).* FROM realm_heads h`,
      [other],
    );
    await addPartitions(database, MONDAY);
    for (const position of [1, 2]) await store(realm, position, THURSDAY);
    await store(other, 9, THURSDAY + 1);
    await store(realm, 3, THURSDAY + WEEK_MS);
    expect(await dropPartitions(database, THURSDAY + WEEK_MS - 1)).toEqual([]);
    expect(await dropPartitions(database, THURSDAY + WEEK_MS)).toEqual([NAMES[0]]);
    expect(await stored()).toEqual([[NAMES[1], 3]]);
    expect(await horizons()).toEqual([
      { realm_id: realm, position: 2 },
      { realm_id: other, position: 9 },
    ]);
    expect(await partitions()).not.toContain(NAMES[0]);
  });

  it('remain until a long read has ended', async () => {
    await addPartitions(database, MONDAY);
    await store(realm, 1, THURSDAY);
    const reader = await pool.connect();
    await reader.query('BEGIN; SELECT * FROM client_events');
    expect(await dropPartitions(database, THURSDAY + WEEK_MS)).toEqual([]);
    expect(await horizons()).toEqual([]);
    await reader.query('COMMIT');
    reader.release();
    expect(await dropPartitions(database, THURSDAY + WEEK_MS)).toEqual([NAMES[0]]);
  });

  it('are read only where the requested times are', async () => {
    await addPartitions(database, MONDAY);
    const client = await pool.connect();
    try {
      await client.query(`SET plan_cache_mode = force_generic_plan;
        PREPARE place AS SELECT * FROM client_events
          WHERE realm_id = 1 AND position = ANY($1::int8[]) AND at BETWEEN $2::int8 AND $3::int8`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN EXECUTE place('{1,2}', ${THURSDAY}, ${MONDAY})`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Subplans Removed: 5');
    } finally {
      await client.query('DEALLOCATE ALL; RESET ALL');
      client.release();
    }
  });
});
