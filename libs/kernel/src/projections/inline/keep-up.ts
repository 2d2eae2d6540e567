import type { ClientBase, Pool } from 'pg';
import type { Clock, Instant, Position, RealmId, Recorded } from '../../domain/index';
import type { Database } from '../../database/database';
import { HOLDING_SQL } from '../../database/database';
import { binaryArray } from '../rows/binary-arrays';
import type { Projection } from '../definition/define';
import type { EventSource, EventRange } from '../running/event-source';
import { lengthOf } from '../running/event-source';
import type { SideBySideModel, Live, LiveModels } from './live-models';
import type { Statement } from '../rows/row-sql';
import { BY_INDEX_SQL, statementsFor } from '../rows/row-sql';

/** Events that are applied in one transaction. */
const PAGE = 2_000;
/** Realms that are brought to the head while all writers wait. */
const MOST_REALMS = 100;
const BEGIN = `BEGIN; ${HOLDING_SQL}; ${BY_INDEX_SQL}`;

/** The heads of logs, and when they were read. */
type Heads = ReadonlyMap<RealmId, { readonly position: Position; readonly at: Instant }>;

/** `reached`: the position was reached. `changed`: another set of read models is live. `applied`: one more page was applied. */
type StepOutcome = 'reached' | 'changed' | 'applied';

/** The events that a realm's read models have not applied, up to its head. */
type Behind = EventRange & { readonly until: Position };

interface Deps {
  readonly database: Database;
  readonly source: EventSource;
  readonly models: LiveModels;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Keeps the inline read models of this code up to date while they are live beside another version, whose processes do
 * not write them. Before a read (the fence) and before a write (a lane) they are brought to the head. While one version
 * is live alone nothing is done.
 */
export class KeepUp {
  /** Positions up to which a generation is known to be written, by generation and realm. */
  private readonly reached = new Map<string, number>();
  private readonly running = new Map<RealmId, Promise<void>>();

  constructor(private readonly deps: Deps) {}

  /**
   * Brings the read models of this code to positions of the logs of these realms.
   *
   * @throws Overloaded when this code must not continue with the live read models
   */
  async reach(positions: ReadonlyMap<RealmId, Position>): Promise<void> {
    const { models } = this.deps;
    if (models.alone !== null) return;
    const live = () => models.now();
    const { sideBySide } = await live();
    if (sideBySide.length === 0) return;
    await Promise.all([...positions].map(([realmId, position]) => this.bring(realmId, position, sideBySide, live)));
  }

  /** Brings those of all realms to the present heads, also if this code must not continue with the live read models. */
  async reachAll(): Promise<void> {
    const { database, models } = this.deps;
    const live = async () => models.seen(database.pool, await editionOf(database.pool));
    const { sideBySide } = await live();
    for (const { realmId, until } of await spansBehind(database.pool, sideBySide))
      await this.bring(realmId, until, sideBySide, live);
  }

  /**
   * The same within a transaction that holds the locks of all heads.
   *
   * @returns false, and nothing is done, if the writers would wait for long
   */
  async reachAllIn(client: ClientBase): Promise<boolean> {
    const { sideBySide } = await this.deps.models.seen(client, await editionOf(client));
    const behind = await spansBehind(client, sideBySide);
    if (behind.length > MOST_REALMS || lengthOf(behind) > PAGE) return false;
    const at = this.deps.clock.now();
    await this.reachIn(
      client,
      new Map(behind.map(({ realmId, until }) => [realmId, { position: until, at }])),
      sideBySide,
    );
    return true;
  }

  /**
   * The same within a transaction that holds the locks of these heads, up to them.
   *
   * @returns whether anything was missing
   */
  async reachIn(client: ClientBase, heads: Heads, sideBySide: readonly SideBySideModel[]): Promise<boolean> {
    let wasMissing = false;
    for (const [realmId, { position }] of sideBySide.length === 0 ? [] : heads) {
      for (;;) {
        const step = await this.step(client, realmId, position, sideBySide);
        if (step === 'reached') break;
        if (step === 'changed') throw new Error('what is live has changed although the head is locked');
        wasMissing = true;
      }
    }
    return wasMissing;
  }

  private async bring(
    realmId: RealmId,
    position: Position,
    sideBySide: readonly SideBySideModel[],
    live: () => Promise<Live>,
  ): Promise<void> {
    while (this.running.has(realmId)) await this.running.get(realmId)?.catch(() => undefined);
    if (sideBySide.every(({ generation }) => (this.reached.get(`${generation} ${realmId}`) ?? 0) >= position)) return;
    const run = this.take(realmId, position, sideBySide, live).finally(() => this.running.delete(realmId));
    this.running.set(realmId, run);
    await run;
  }

  /** @param live reads the live read models again after a change */
  private async take(
    realmId: RealmId,
    position: Position,
    sideBySide: readonly SideBySideModel[],
    live: () => Promise<Live>,
  ): Promise<void> {
    const { database, models } = this.deps;
    while (sideBySide.length > 0) {
      const kept = sideBySide;
      const step = await database.transaction(BEGIN, (client) => this.step(client, realmId, position, kept));
      if (step === 'reached') {
        for (const { generation } of sideBySide) this.reached.set(`${generation} ${realmId}`, position);
        return;
      }
      if (step === 'changed') {
        models.note(await editionOf(database.pool));
        ({ sideBySide } = await live());
      }
    }
  }

  /** Applies a page in the caller's transaction. Others of the same version wait meanwhile. */
  private async step(
    client: ClientBase,
    realmId: RealmId,
    until: Position,
    sideBySide: readonly SideBySideModel[],
  ): Promise<StepOutcome> {
    if (!(await areSideBySide(client, sideBySide))) return 'changed';
    const positions = await lockedPositions(client, realmId, sideBySide, this.deps.clock.now());
    const from = Math.min(...sideBySide.map(({ generation }) => positions.get(generation) ?? 0));
    if (from >= until) return 'reached';
    const events = await this.deps.source.page(realmId, from, Math.min(PAGE, until - from), client);
    const last = events.at(-1)?.position;
    if (last === undefined) throw new Error(`the log of realm ${realmId} ends at ${from}, ${until} was promised`);
    for (const { generation, definition } of sideBySide)
      await apply(client, definition, events, positions.get(generation) ?? 0);
    const heads: Heads = new Map([[realmId, { position: last, at: this.deps.clock.now() }]]);
    for (const statement of checkpointStatements(heads, sideBySide))
      await client.query({ ...statement, name: 'side-by-side-step' });
    return 'applied';
  }
}

/** To be read under the lock of heads, or on a snapshot, for the read models that are live there. */
export async function editionOf(client: Pool | ClientBase): Promise<number> {
  const { rows } = await client.query<{ edition: number }>({
    name: 'live-edition',
    text: 'SELECT read_models AS edition FROM installation',
  });
  return rows[0]?.edition ?? 0;
}

const namesOf = (sideBySide: readonly SideBySideModel[]): [string[], number[]] => [
  sideBySide.map(({ projection }) => projection),
  sideBySide.map(({ generation }) => generation),
];

/** Whether all are still live beside another version. This does not change until the transaction ends. */
async function areSideBySide(client: ClientBase, sideBySide: readonly SideBySideModel[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'side-by-side-live',
    text: `SELECT FROM projections AS p JOIN unnest($1::text[], $2::int4[]) AS k(name, generation)
      ON p.name = k.name AND k.generation IN (p.generation, p.next_generation) AND p.side_by_side
      ORDER BY p.name FOR SHARE OF p`,
    values: namesOf(sideBySide),
  });
  return rowCount === sideBySide.length;
}

/** The events up to the present heads that some of these have not applied, for the realms that have such events. */
async function spansBehind(client: Pool | ClientBase, sideBySide: readonly SideBySideModel[]): Promise<Behind[]> {
  if (sideBySide.length === 0) return [];
  const { rows } = await client.query<Behind>({
    name: 'side-by-side-behind',
    text: `SELECT h.realm_id AS "realmId", min(coalesce(c.position, 0)) AS after, h.position AS until
      FROM realm_heads AS h CROSS JOIN unnest($1::text[], $2::int4[]) AS k(name, generation)
      LEFT JOIN projection_checkpoints AS c
        ON c.realm_id = h.realm_id AND c.projection = k.name AND c.generation = k.generation
      WHERE coalesce(c.position, 0) < h.position GROUP BY h.realm_id, h.position`,
    values: namesOf(sideBySide),
  });
  return rows;
}

const POSITIONS = `SELECT generation, position FROM projection_checkpoints
  WHERE realm_id = $1 AND projection = ANY($2::text[]) AND generation = ANY($3::int4[]) ORDER BY projection, generation`;

/** By generation. One that is missing is at 0. */
export async function positionsOf(
  client: ClientBase,
  realmId: RealmId,
  sideBySide: readonly SideBySideModel[],
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ generation: number; position: number }>({
    name: 'side-by-side-positions',
    text: POSITIONS,
    values: [realmId, ...namesOf(sideBySide)],
  });
  return new Map(rows.map(({ generation, position }) => [generation, position]));
}

/** The same under a lock, so that no other transaction moves them. */
async function lockedPositions(
  client: ClientBase,
  realmId: RealmId,
  sideBySide: readonly SideBySideModel[],
  at: Instant,
): Promise<Map<number, number>> {
  await client.query({
    name: 'side-by-side-begin',
    text: `INSERT INTO projection_checkpoints (realm_id, projection, generation, position, status, changed_at)
      SELECT $1, k.name, k.generation, 0, 'running', $4 FROM unnest($2::text[], $3::int4[]) AS k(name, generation)
      ORDER BY k.name, k.generation ON CONFLICT DO NOTHING`,
    values: [realmId, ...namesOf(sideBySide), at],
  });
  const { rows } = await client.query<{ generation: number; position: number }>({
    name: 'side-by-side-lock',
    text: `${POSITIONS} FOR UPDATE`,
    values: [realmId, ...namesOf(sideBySide)],
  });
  return new Map(rows.map(({ generation, position }) => [generation, position]));
}

/** Statements which record that the read models have everything up to these heads. */
export function checkpointStatements(heads: Heads, sideBySide: readonly SideBySideModel[]): Statement[] {
  if (sideBySide.length === 0) return [];
  const [names, generations] = namesOf(sideBySide);
  const all = [...heads.values()];
  const [positions, times] = [all.map(({ position }) => position), all.map(({ at }) => at)];
  return [
    {
      name: 'side-by-side-checkpoints',
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
    await client.query({ ...statement, name: `side-by-side-${statement.name}` });
}
