import type { ClientBase } from 'pg';
import type { Database } from '../../database/database';
import type { Clock, Recorded } from '../../domain/index';
import { checkpointsOf, forgetCheckpoints, setCheckpoints } from '../../projections/checkpoints/checkpoints';
import type { Projection } from '../../projections/definition/define';
import { createIndexes, liveSchema, tableName } from '../../projections/definition/tables';
import { BEGIN_INDEXING, BuildStopped, analyze } from '../../projections/rebuild/build';
import type { EventSource } from '../../projections/running/event-source';
import { pagesOf } from '../../projections/running/event-source';
import { PageFollower, projectionConsumer } from '../../projections/running/page-follower';
import { projectionRows } from '../../projections/versions/projection-store';
import { eachAtOnce } from '../../work/at-once';
import type { PastKey } from './past-schema';
import { PAST_GENERATION } from './past-schema';

export interface PastProgress {
  readonly phase: 'reading the log' | 'indexing';
  /** Events, or read models with their indexes. */
  readonly done: number;
  readonly total: number;
}

export interface PastBuildDeps {
  /** With the schema of the past in its search path. */
  readonly database: Database;
  readonly source: EventSource;
  readonly clock: Clock;
  /** All read models, in the schema of the past. */
  readonly projections: readonly Projection[];
  readonly onProgress?: ((progress: PastProgress) => void) | undefined;
  /** Stops after the current page. The next run continues from there. */
  readonly signal?: AbortSignal | undefined;
  /** Events of a page. */
  readonly pageSize?: number | undefined;
}

const PAGE_SIZE = 5_000;
/** Read models that are written at once, each on a connection. */
const AT_ONCE = 3;

/** A read model, and how far it is. */
interface ModelBuild {
  readonly follower: PageFollower;
  /** Position of the last event that it applied. */
  at: number;
  /** How long its part of the last page took, in ms. */
  took: number;
}

/**
 * Builds all read models of a past in one pass over the log. Each has its checkpoint in the schema of the past, so a build
 * that was killed continues.
 */
export class PastBuild {
  constructor(
    private readonly key: PastKey,
    private readonly deps: PastBuildDeps,
  ) {}

  /** @throws BuildStopped at an event that a read model cannot apply */
  async run(): Promise<void> {
    await this.fill();
    await this.index();
    await this.deps.database.transaction('BEGIN', (client) => this.arrive(client));
  }

  private async fill(): Promise<void> {
    const { realmId, position: until } = this.key;
    const { source, signal, pageSize = PAGE_SIZE } = this.deps;
    const fillings = await this.fillings();
    const span = { realmId, after: Math.min(...fillings.map(({ at }) => at)), until };
    for await (const { events } of pagesOf(source, [span], pageSize)) {
      signal?.throwIfAborted();
      // The slowest come first, so that none of them works alone at the end of a page.
      fillings.sort((a, b) => b.took - a.took);
      await eachAtOnce(AT_ONCE, fillings, (filling) => this.take(filling, events));
      await this.reach(fillings, events.at(-1)?.position ?? until);
      this.deps.onProgress?.({ phase: 'reading the log', done: events.at(-1)?.position ?? until, total: until });
    }
  }

  private async take(filling: ModelBuild, events: readonly Recorded[]): Promise<void> {
    const { follower } = filling;
    const began = performance.now();
    const concerned = events.filter((event) => event.position > filling.at && follower.consumer.concerns(event));
    if (concerned.length === 0) return;
    const { realmId } = this.key;
    const outcome = await follower.apply(realmId, filling.at, concerned);
    if (outcome.kind === 'parked')
      throw new BuildStopped(follower.consumer.name, realmId, outcome.position, outcome.error);
    if (outcome.kind === 'overtaken') throw new Error(`another process has built this past too`);
    filling.at = outcome.position;
    filling.took = performance.now() - began;
  }

  /** Also read models that no event of the page concerns are now at its end, and continue there after a kill. */
  private async reach(fillings: readonly ModelBuild[], position: number): Promise<void> {
    await this.deps.database.pool.query({
      name: 'past-page-read',
      text: `INSERT INTO projection_checkpoints AS c (realm_id, projection, generation, position, status, changed_at)
        SELECT $1, name, $2, $3, 'running', $4 FROM unnest($5::text[]) AS name
        ON CONFLICT (realm_id, projection, generation) DO UPDATE SET position = excluded.position`,
      values: [
        this.key.realmId,
        PAST_GENERATION,
        position,
        this.deps.clock.now(),
        fillings.map(({ follower }) => follower.generation.projection),
      ],
    });
    for (const filling of fillings) filling.at = position;
  }

  private fillings(): Promise<ModelBuild[]> {
    const { database, projections } = this.deps;
    return Promise.all(
      projections.map(async (projection) => {
        const generation = { projection: projection.name, generation: PAST_GENERATION };
        const checkpoint = (await checkpointsOf(database.pool, generation)).get(this.key.realmId);
        const follower = new PageFollower(this.deps, projectionConsumer(projection), generation);
        return { follower, at: checkpoint?.position ?? 0, took: 0 };
      }),
    );
  }

  private async index(): Promise<void> {
    const { database, projections, onProgress, signal } = this.deps;
    let done = 0;
    await eachAtOnce(AT_ONCE, projections, async (projection) => {
      signal?.throwIfAborted();
      const schema = liveSchema(projection);
      await database.transaction(BEGIN_INDEXING, async (client) => {
        for (const ddl of createIndexes(projection, schema)) await client.query(ddl);
        for (const table of Object.keys(projection.tables)) await analyze(client, tableName(schema, table));
      });
      onProgress?.({ phase: 'indexing', done: ++done, total: projections.length });
    });
  }

  /** All followers are where the log ends. Live inline read models are there without a checkpoint. */
  private async arrive(client: ClientBase): Promise<void> {
    const at = this.deps.clock.now();
    const heads = new Map([[this.key.realmId, this.key.position]]);
    for (const { name, lifecycle, generation } of (await projectionRows(client)).values()) {
      const its = { projection: name, generation };
      if (lifecycle === 'inline') await forgetCheckpoints(client, its);
      else await setCheckpoints(client, its, heads, at);
    }
  }
}
