import type { ClientBase, Pool } from 'pg';
import type { Clock, Instant, Position, RealmId, Recorded } from '../../domain/index';
import type { Database } from '../../database/database';
import { HOLDING_SQL } from '../../database/database';
import { binaryArray } from '../rows/binary-arrays';
import type { Projection } from '../definition/define';
import type { EventSource, Span } from '../running/event-source';
import { lengthOf } from '../running/event-source';
import type { KeptUp, Live, LiveModels } from './live-models';
import type { Statement } from '../rows/row-sql';
import { BY_INDEX_SQL, statementsFor } from '../rows/row-sql';

/** Events that are taken in one transaction. */
const PAGE = 2_000;
/** Realms that are brought up while all writers wait. */
const MOST_REALMS = 100;
const BEGIN = `BEGIN; ${HOLDING_SQL}; ${BY_INDEX_SQL}`;

/** Where logs end, and when. */
type Heads = ReadonlyMap<RealmId, { readonly position: Position; readonly at: Instant }>;

/** What is lacking of a realm, up to its head. */
type Behind = Span & { readonly until: Position };

interface Deps {
  readonly database: Database;
  readonly source: EventSource;
  readonly models: LiveModels;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Keeps the inline read models of this code up with the log while they are live beside another version, whose processes
 * do not write them. Then whoever reads (the fence) and whoever writes (a lane) first brings them to the head; while
 * one version is live alone nothing is done.
 */
export class KeepUp {
  /** Positions up to which a generation is known to be written, by generation and realm. */
  private readonly reached = new Map<string, number>();
  private readonly running = new Map<RealmId, Promise<void>>();

  constructor(private readonly deps: Deps) {}

  /**
   * Brings what this code reads of these realms up to positions of their logs.
   * @throws Overloaded when this code must not go on with what is live
   */
  async reach(positions: ReadonlyMap<RealmId, Position>): Promise<void> {
    const { models } = this.deps;
    if (models.alone !== null) return;
    const live = () => models.now();
    const { keptUp } = await live();
    if (keptUp.length === 0) return;
    await Promise.all([...positions].map(([realmId, position]) => this.bring(realmId, position, keptUp, live)));
  }

  /** Those of all realms, to where the logs are now; also where this code must not go on with what is live. */
  async reachAll(): Promise<void> {
    const { database, models } = this.deps;
    const live = async () => models.seen(database.pool, await editionOf(database.pool));
    const { keptUp } = await live();
    for (const { realmId, until } of await spansBehind(database.pool, keptUp))
      await this.bring(realmId, until, keptUp, live);
  }

  /**
   * The same within a transaction that holds the locks of all heads.
   * @returns false, and nothing is done, when that would keep the writers waiting for long
   */
  async reachAllIn(client: ClientBase): Promise<boolean> {
    const { keptUp } = await this.deps.models.seen(client, await editionOf(client));
    const behind = await spansBehind(client, keptUp);
    if (behind.length > MOST_REALMS || lengthOf(behind) > PAGE) return false;
    const at = this.deps.clock.now();
    await this.reachIn(client, new Map(behind.map(({ realmId, until }) => [realmId, { position: until, at }])), keptUp);
    return true;
  }

  /**
   * The same within a transaction that holds the locks of these heads, up to them.
   * @returns whether anything was missing
   */
  async reachIn(client: ClientBase, heads: Heads, keptUp: readonly KeptUp[]): Promise<boolean> {
    let wasMissing = false;
    for (const [realmId, { position }] of keptUp.length === 0 ? [] : heads) {
      for (;;) {
        const step = await this.step(client, realmId, position, keptUp);
        if (step === 'there') break;
        if (step === 'changed') throw new Error('what is live has changed although the head is locked');
        wasMissing = true;
      }
    }
    return wasMissing;
  }

  private async bring(
    realmId: RealmId,
    position: Position,
    keptUp: readonly KeptUp[],
    live: () => Promise<Live>,
  ): Promise<void> {
    while (this.running.has(realmId)) await this.running.get(realmId)?.catch(() => undefined);
    if (keptUp.every(({ generation }) => (this.reached.get(`${generation} ${realmId}`) ?? 0) >= position)) return;
    const run = this.take(realmId, position, keptUp, live).finally(() => this.running.delete(realmId));
    this.running.set(realmId, run);
    await run;
  }

  /** @param live asked for what is live when that has changed */
  private async take(
    realmId: RealmId,
    position: Position,
    keptUp: readonly KeptUp[],
    live: () => Promise<Live>,
  ): Promise<void> {
    const { database, models } = this.deps;
    while (keptUp.length > 0) {
      const kept = keptUp;
      const step = await database.transaction(BEGIN, (client) => this.step(client, realmId, position, kept));
      if (step === 'there') {
        for (const { generation } of keptUp) this.reached.set(`${generation} ${realmId}`, position);
        return;
      }
      if (step === 'changed') {
        models.note(await editionOf(database.pool));
        ({ keptUp } = await live());
      }
    }
  }

  /** A page, in the caller's transaction, which keeps others of the same version waiting. */
  private async step(
    client: ClientBase,
    realmId: RealmId,
    until: Position,
    keptUp: readonly KeptUp[],
  ): Promise<'there' | 'changed' | 'taken'> {
    if (!(await areSideBySide(client, keptUp))) return 'changed';
    const positions = await lockedPositions(client, realmId, keptUp, this.deps.clock.now());
    const from = Math.min(...keptUp.map(({ generation }) => positions.get(generation) ?? 0));
    if (from >= until) return 'there';
    const events = await this.deps.source.page(realmId, from, Math.min(PAGE, until - from), client);
    const last = events.at(-1)?.position;
    if (last === undefined) throw new Error(`the log of realm ${realmId} ends at ${from}, ${until} was promised`);
    for (const { generation, definition } of keptUp)
      await apply(client, definition, events, positions.get(generation) ?? 0);
    const heads: Heads = new Map([[realmId, { position: last, at: this.deps.clock.now() }]]);
    for (const statement of checkpointStatements(heads, keptUp))
      await client.query({ ...statement, name: 'kept-up-step' });
    return 'taken';
  }
}

/** Read it under the lock of heads, or on a snapshot, for what is live there. */
export async function editionOf(client: Pool | ClientBase): Promise<number> {
  const { rows } = await client.query<{ edition: number }>({
    name: 'live-edition',
    text: 'SELECT read_models AS edition FROM installation',
  });
  return rows[0]?.edition ?? 0;
}

const namesOf = (keptUp: readonly KeptUp[]): [string[], number[]] => [
  keptUp.map(({ projection }) => projection),
  keptUp.map(({ generation }) => generation),
];

/** Whether all are still live beside another version; they stay so until the transaction ends. */
async function areSideBySide(client: ClientBase, keptUp: readonly KeptUp[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'kept-up-live',
    text: `SELECT FROM projections AS p JOIN unnest($1::text[], $2::int4[]) AS k(name, generation)
      ON p.name = k.name AND k.generation IN (p.generation, p.next_generation) AND p.side_by_side
      ORDER BY p.name FOR SHARE OF p`,
    values: namesOf(keptUp),
  });
  return rowCount === keptUp.length;
}

/** What some of these lack to where the logs are, in the realms where they lack something. */
async function spansBehind(client: Pool | ClientBase, keptUp: readonly KeptUp[]): Promise<Behind[]> {
  if (keptUp.length === 0) return [];
  const { rows } = await client.query<Behind>({
    name: 'kept-up-behind',
    text: `SELECT h.realm_id AS "realmId", min(coalesce(c.position, 0)) AS after, h.position AS until
      FROM realm_heads AS h CROSS JOIN unnest($1::text[], $2::int4[]) AS k(name, generation)
      LEFT JOIN projection_checkpoints AS c
        ON c.realm_id = h.realm_id AND c.projection = k.name AND c.generation = k.generation
      WHERE coalesce(c.position, 0) < h.position GROUP BY h.realm_id, h.position`,
    values: namesOf(keptUp),
  });
  return rows;
}

const POSITIONS = `SELECT generation, position FROM projection_checkpoints
  WHERE realm_id = $1 AND projection = ANY($2::text[]) AND generation = ANY($3::int4[]) ORDER BY projection, generation`;

/** By generation. One that is missing stands at 0. */
export async function positionsOf(
  client: ClientBase,
  realmId: RealmId,
  keptUp: readonly KeptUp[],
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ generation: number; position: number }>({
    name: 'kept-up-positions',
    text: POSITIONS,
    values: [realmId, ...namesOf(keptUp)],
  });
  return new Map(rows.map(({ generation, position }) => [generation, position]));
}

/** The same, where nobody else moves them until the transaction ends. */
async function lockedPositions(
  client: ClientBase,
  realmId: RealmId,
  keptUp: readonly KeptUp[],
  at: Instant,
): Promise<Map<number, number>> {
  await client.query({
    name: 'kept-up-begin',
    text: `INSERT INTO projection_checkpoints (realm_id, projection, generation, position, status, changed_at)
      SELECT $1, k.name, k.generation, 0, 'running', $4 FROM unnest($2::text[], $3::int4[]) AS k(name, generation)
      ORDER BY k.name, k.generation ON CONFLICT DO NOTHING`,
    values: [realmId, ...namesOf(keptUp), at],
  });
  const { rows } = await client.query<{ generation: number; position: number }>({
    name: 'kept-up-lock',
    text: `${POSITIONS} FOR UPDATE`,
    values: [realmId, ...namesOf(keptUp)],
  });
  return new Map(rows.map(({ generation, position }) => [generation, position]));
}

/** Say that read models that are kept up hold everything up to these heads. */
export function checkpointStatements(heads: Heads, keptUp: readonly KeptUp[]): Statement[] {
  if (keptUp.length === 0) return [];
  const [names, generations] = namesOf(keptUp);
  const all = [...heads.values()];
  const [positions, times] = [all.map(({ position }) => position), all.map(({ at }) => at)];
  return [
    {
      name: 'kept-up-checkpoints',
      text: `INSERT INTO projection_checkpoints AS c (realm_id, projection, generation, position, status, changed_at)
        SELECT r.id, k.name, k.generation, r.position, 'running', r.at
        FROM unnest($1::int4[], $2::int8[], $3::int8[]) AS r(id, position, at),
          unnest($4::text[], $5::int4[]) AS k(name, generation)
        ON CONFLICT (realm_id, projection, generation) DO UPDATE
        SET position = greatest(c.position, excluded.position), changed_at = excluded.changed_at`,
      values: [
        binaryArray('int4', [...heads.keys()]),
        binaryArray('int8', positions),
        binaryArray('int8', times),
        binaryArray('text', names),
        binaryArray('int4', generations),
      ],
    },
  ];
}

async function apply(
  client: ClientBase,
  definition: Projection,
  events: readonly Recorded[],
  after: number,
): Promise<void> {
  const missing = events.filter(({ position }) => position > after);
  // A lane has prepared statements of its own under the plain names.
  for (const statement of statementsFor(definition, missing))
    await client.query({ ...statement, name: `kept-up-${statement.name}` });
}
