import type { Pool } from 'pg';
import type { Instant, LogPoint, Position } from '@annals/kernel/domain';
import type { ToyFeed } from '../../spec-support/toy-feed';
import { openToyFeed, realm } from '../../spec-support/toy-feed';
import { ClientEventRows } from './client-event-rows';

let toy: ToyFeed;
let pool: Pool;
let rows: ClientEventRows;
beforeEach(async () => {
  toy = await openToyFeed();
  pool = toy.first.kernel.database.pool;
  await pool.query(
    `INSERT INTO projection_checkpoints (realm_id, projection, generation, position, status, changed_at)
      VALUES ($1, 'stored_client_events', 1, 9, 'running', 0)`,
    [realm],
  );
  rows = new ClientEventRows(pool);
});
afterEach(() => toy.close());

/** Words that compression cannot shorten. */
const store = (position: number, k: number, bytes: number) =>
  pool.query(
    `INSERT INTO client_events SELECT $1, $2, $3, 'message', '{"kind":"everyone"}', json_build_object('words', string_agg(
      encode(uuid_send(gen_random_uuid()), 'base64'), '')), 0 FROM generate_series(1, $4::int8 / 24)`,
    [realm, position, k, bytes],
  );
const placed = (...positions: number[]) =>
  positions.map((position): LogPoint => ({ position: position as Position, at: 0 as Instant })) as [
    LogPoint,
    ...LogPoint[],
  ];
const between = (after: number, upTo: number) =>
  placed(...Array.from({ length: upTo - after }, (_, n) => after + n + 1));
const read = async (after: number, upTo: number) => {
  const { events, through } = await rows.of(realm, between(after, upTo));
  return { events: events.map((event) => [event.position, event.k]), through };
};

describe('client events that are read at once', () => {
  it('are all that exist if they are small', async () => {
    for (const position of [2, 3, 5]) await store(position, 0, 100);
    expect(await read(2, 9)).toEqual({
      events: [
        [3, 0],
        [5, 0],
      ],
      through: 9,
    });
    expect(await read(5, 8)).toEqual({ events: [], through: 8 });
  });

  it('are those of the requested positions, as far as they are translated, with what is known of them', async () => {
    for (const position of [2, 5, 9, 10]) await store(position, 0, 100);
    await pool.query('INSERT INTO client_event_horizons VALUES ($1, 1)', [realm]);
    const { events, ...standing } = await rows.of(realm, placed(2, 3, 9, 10));
    expect(events.map(({ position }) => position)).toEqual([2, 9]);
    expect(standing).toEqual({ through: 10, checkpoint: 9, horizon: 1 });
  });

  it('are some megabytes, and no position is split', async () => {
    for (const [position, k] of [
      [1, 0],
      [2, 0],
      [2, 1],
      [4, 0],
    ] as const)
      await store(position, k, 3_000_000);
    expect(await read(0, 4)).toEqual({ events: [[1, 0]], through: 1 });
    expect(await read(1, 4)).toEqual({
      events: [
        [2, 0],
        [2, 1],
      ],
      through: 3,
    });
    expect(await read(3, 4)).toEqual({ events: [[4, 0]], through: 4 });
  });

  it('are one at least, however large it is', async () => {
    for (const position of [1, 2]) await store(position, 0, 10_000_000);
    expect(await read(0, 2)).toEqual({ events: [[1, 0]], through: 1 });
    expect(await read(1, 2)).toEqual({ events: [[2, 0]], through: 2 });
  });

  it('have an approximate size', async () => {
    await store(1, 0, 1_000_000);
    await store(2, 0, 100);
    const { events } = await rows.of(realm, between(0, 2));
    const [large = 0, small = 0] = events.map(({ size }) => size);
    expect(large).toBeGreaterThan(900_000);
    expect(small).toBeLessThan(1_000);
  });
});
