import type { ClientBase, Pool } from 'pg';
import type { Instant, Position, RealmId } from '../../domain/index';

/** A build of a projection, with its own tables and checkpoints. Readers have one generation only. */
export interface Generation {
  readonly projection: string;
  readonly generation: number;
}

export interface ParkedEvent extends Generation {
  readonly realmId: RealmId;
  readonly position: Position;
  readonly error: string;
  /** Milliseconds. */
  readonly parkedAt: Instant;
}

export interface ProjectionCheckpoint {
  readonly position: number;
  readonly parked: boolean;
}

export interface CheckpointMove {
  readonly realmId: RealmId;
  readonly from: number;
  readonly to: number;
  /** Command of the event at `to` as it was read; null if the event is read in the same transaction. */
  readonly commandId: string | null;
}

/**
 * The command of the event at a position, or NULL. A log has no gaps, so it is the first event from there. Only with this
 * order the planner always takes the primary key: while it believes that a log is empty, it takes any index of the
 * organization, and keeps that plan while the log grows.
 */
const commandAt = (realmId: string, position: string): string => `(SELECT e.command_id FROM events AS e
  WHERE e.realm_id = ${realmId} AND e.position >= ${position} ORDER BY e.realm_id, e.position LIMIT 1)`;

/**
 * Moves a checkpoint from one position to another if it is still at the first one. If two followers applied the same
 * events, only one of them moves it. The row stays locked until the transaction ends, which also prevents a switch of
 * the projection.
 * @returns false if another follower was faster, the realm is parked, the generation is no longer in use, or the log is
 * not the one that the events were read from
 */
export async function advance(
  client: ClientBase,
  { projection, generation }: Generation,
  { realmId, from, to, commandId }: CheckpointMove,
  at: Instant,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'checkpoint-advance',
    text: `
      INSERT INTO projection_checkpoints AS c (realm_id, projection, generation, position, status, changed_at)
      SELECT $1, $2, $3, $5, 'running', $6 FROM (
        SELECT FROM projections WHERE name = $2 AND $3::int4 IN (generation, next_generation) FOR SHARE
      ) AS in_use
      WHERE ($4::int8 = 0 OR EXISTS (
        SELECT FROM projection_checkpoints WHERE realm_id = $1 AND projection = $2 AND generation = $3
      )) AND ($7::uuid IS NULL OR $7 = ${commandAt('$1', '$5')})
      ON CONFLICT (realm_id, projection, generation) DO UPDATE
      SET position = excluded.position, changed_at = excluded.changed_at
      WHERE c.position = $4 AND c.status = 'running'`,
    values: [realmId, projection, generation, from, to, at, commandId],
  });
  return rowCount === 1;
}

/**
 * Moves several checkpoints at once, each as `advance` does.
 * @returns the moved ones
 */
export async function advanceAll<M extends Generation & CheckpointMove>(
  client: ClientBase,
  moves: readonly M[],
  at: Instant,
): Promise<ReadonlySet<M>> {
  const moved = new Set<M>();
  // The first move creates the row.
  for (const move of moves) if (move.from === 0 && (await advance(client, move, move, at))) moved.add(move);
  const further = moves.filter(({ from }) => from > 0);
  if (further.length === 0) return moved;
  const { rows } = await client.query<{ n: number }>({
    name: 'checkpoints-advance',
    text: `UPDATE projection_checkpoints AS c SET position = m.until, changed_at = $7
      FROM (
        SELECT u.* FROM unnest($1::int4[], $2::text[], $3::int4[], $4::int8[], $5::int8[], $6::uuid[])
          WITH ORDINALITY AS u(realm_id, projection, generation, since, until, command_id, n)
        JOIN projections AS p ON p.name = u.projection AND u.generation IN (p.generation, p.next_generation)
        FOR SHARE OF p
      ) AS m
      WHERE c.realm_id = m.realm_id AND c.projection = m.projection AND c.generation = m.generation
        AND c.position = m.since AND c.status = 'running' AND m.command_id = ${commandAt('m.realm_id', 'm.until')}
      RETURNING m.n`,
    values: [
      further.map(({ realmId }) => realmId),
      further.map(({ projection }) => projection),
      further.map(({ generation }) => generation),
      further.map(({ from }) => from),
      further.map(({ to }) => to),
      further.map(({ commandId }) => commandId),
      at,
    ],
  });
  for (const { n } of rows) {
    const move = further[n - 1];
    if (move) moved.add(move);
  }
  return moved;
}

export interface RealmCheckpoint extends Generation {
  readonly realmId: RealmId;
  readonly position: number;
}

/**
 * Reads the checkpoints of generations that differ from the heads of the logs, in these realms or in all.
 * @param always realms whose checkpoints are all returned
 */
export async function checkpointsBesideHeads(
  client: ClientBase | Pool,
  generations: readonly Generation[],
  realms: readonly RealmId[] | null,
  always: readonly RealmId[],
): Promise<RealmCheckpoint[]> {
  const { rows } = await client.query<RealmCheckpoint>({
    name: 'checkpoints-beside',
    text: `SELECT h.realm_id AS "realmId", g.projection, g.generation, coalesce(c.position, 0) AS position
      FROM realm_heads AS h CROSS JOIN unnest($1::text[], $2::int4[]) AS g(projection, generation)
      LEFT JOIN projection_checkpoints AS c
        ON c.realm_id = h.realm_id AND c.projection = g.projection AND c.generation = g.generation
      WHERE ($3::int4[] IS NULL OR h.realm_id = ANY($3))
        AND (c.position IS DISTINCT FROM h.position OR h.realm_id = ANY($4::int4[]))`,
    values: [generations.map((one) => one.projection), generations.map((one) => one.generation), realms, always],
  });
  return rows;
}

/**
 * Stops one realm of one projection at an event that cannot be applied.
 * @param from the expected checkpoint; if it has moved meanwhile, nothing is parked
 */
export async function park(client: ClientBase, event: ParkedEvent, from: number): Promise<boolean> {
  const { realmId, projection, generation, position, error, parkedAt } = event;
  const { rowCount } = await client.query(
    `INSERT INTO projection_checkpoints AS c (realm_id, projection, generation, position, status, changed_at)
     SELECT $1, $2, $3, $4, 'parked', $5 FROM projections WHERE name = $2 AND $3::int4 IN (generation, next_generation)
     ON CONFLICT (realm_id, projection, generation) DO UPDATE SET status = 'parked', changed_at = excluded.changed_at
     WHERE c.position = $4 AND c.status = 'running'`,
    [realmId, projection, generation, from, parkedAt],
  );
  if (rowCount !== 1) return false;
  await client.query(
    `INSERT INTO parked_events (realm_id, projection, generation, position, error, parked_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [realmId, projection, generation, position, error, parkedAt],
  );
  return true;
}

/** Resumes parked realms of a generation, one or all. @returns how many were parked */
export async function unpark(
  client: ClientBase,
  { projection, generation }: Generation,
  realmId: RealmId | null = null,
): Promise<number> {
  const which = 'projection = $1 AND generation = $2 AND ($3::int4 IS NULL OR realm_id = $3)';
  await client.query(`DELETE FROM parked_events WHERE ${which}`, [projection, generation, realmId]);
  const { rowCount } = await client.query(
    `UPDATE projection_checkpoints SET status = 'running' WHERE status = 'parked' AND ${which}`,
    [projection, generation, realmId],
  );
  return rowCount ?? 0;
}

/** The checkpoints of a generation by realm, of one realm or of all. A realm without an entry is at 0. */
export async function checkpointsOf(
  client: ClientBase | Pool,
  { projection, generation }: Generation,
  realmId: RealmId | null = null,
): Promise<Map<RealmId, ProjectionCheckpoint>> {
  const { rows } = await client.query<{ realm_id: RealmId; position: string; status: string }>(
    `SELECT realm_id, position, status FROM projection_checkpoints
     WHERE projection = $1 AND generation = $2 AND ($3::int4 IS NULL OR realm_id = $3)`,
    [projection, generation, realmId],
  );
  return new Map(
    rows.map((row) => [row.realm_id, { position: Number(row.position), parked: row.status === 'parked' }]),
  );
}

/** The positions of a follower and of its log at the same moment. */
export interface FollowerStanding {
  readonly checkpoint: number;
  readonly head: number;
}

/**
 * One statement, and so one snapshot: a checkpoint beyond the head means that the log was restored to an earlier state.
 */
export async function standingOf(
  client: ClientBase | Pool,
  { projection, generation }: Generation,
  realmId: RealmId,
): Promise<FollowerStanding> {
  const { rows } = await client.query<FollowerStanding>(
    `SELECT coalesce((SELECT position FROM projection_checkpoints
         WHERE realm_id = $1 AND projection = $2 AND generation = $3), 0) AS checkpoint,
       coalesce((SELECT position FROM realm_heads WHERE realm_id = $1), 0) AS head`,
    [realmId, projection, generation],
  );
  return rows[0] ?? { checkpoint: 0, head: 0 };
}

/** All parked events, of all generations. */
export async function parkedEvents(client: ClientBase | Pool): Promise<ParkedEvent[]> {
  const { rows } = await client.query<Omit<ParkedEvent, 'position' | 'parkedAt'> & { position: string; at: string }>(
    `SELECT realm_id AS "realmId", projection, generation, position, error, parked_at AS at FROM parked_events
     ORDER BY projection, generation, realm_id`,
  );
  return rows.map(({ at, position, ...row }) => ({
    ...row,
    position: Number(position) as Position,
    parkedAt: Number(at) as Instant,
  }));
}

/** Replaces the checkpoints of a generation. */
export async function setCheckpoints(
  client: ClientBase,
  { projection, generation }: Generation,
  positions: ReadonlyMap<RealmId, number>,
  at: Instant,
): Promise<void> {
  await client.query(
    `INSERT INTO projection_checkpoints (realm_id, projection, generation, position, status, changed_at)
     SELECT realm_id, $3, $4, position, 'running', $5 FROM unnest($1::int4[], $2::int8[]) AS p(realm_id, position)
     ON CONFLICT (realm_id, projection, generation) DO UPDATE
     SET position = excluded.position, status = excluded.status, changed_at = excluded.changed_at`,
    [[...positions.keys()], [...positions.values()], projection, generation, at],
  );
}

/** Deletes the checkpoints of a generation that is no longer in use. */
export async function forgetCheckpoints(client: ClientBase, { projection, generation }: Generation): Promise<void> {
  for (const table of ['projection_checkpoints', 'parked_events'])
    await client.query(`DELETE FROM ${table} WHERE projection = $1 AND generation = $2`, [projection, generation]);
}
