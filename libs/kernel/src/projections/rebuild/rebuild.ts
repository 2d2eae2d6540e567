import type { ClientBase } from 'pg';
import { UNHURRIED_SQL } from '../../database/database';
import type { Position, RealmId } from '../../domain/index';
import type { BuildDeps } from './build';
import { Build } from './build';
import { withBuildLocks } from './build-lock';
import type { Generation } from '../checkpoints/checkpoints';
import { checkpointsOf } from '../checkpoints/checkpoints';
import type { Difference } from './compare';
import { compareTables } from './compare';
import type { Projection } from '../definition/define';
import { pagesOf } from '../running/event-source';
import { KeepUp } from '../inline/keep-up';
import { LiveModels } from '../inline/live-models';
import { liveGeneration, outdated, projectionRows } from '../versions/projection-store';
import type { ProjectionRow } from '../versions/projection-store';
import { Replay } from './replay';
import { BY_INDEX_SQL } from '../rows/row-sql';
import { endSideBySide, openBeside } from '../versions/side-by-side';
import { switchTo } from '../versions/switch';
import { liveSchema } from '../definition/tables';

/** Opens one snapshot for a whole comparison, without a time limit. */
const BEGIN_COMPARISON = `BEGIN ISOLATION LEVEL REPEATABLE READ; ${UNHURRIED_SQL}; ${BY_INDEX_SQL}`;

/**
 * Builds versions of read models from the log beside the live ones, reports their differences, and switches to them. A
 * run that was killed continues when it is started again. A build runs no side effects, because these belong to readers
 * and not to projections.
 *
 * All methods throw BuildInProgress if another process builds one of the projections, and BuildStopped at an event that
 * the new version cannot apply.
 */
export class Rebuild {
  private readonly keepUp: KeepUp;

  constructor(
    private readonly deps: BuildDeps,
    private readonly declared: readonly Projection[],
  ) {
    const { database, source, clock } = deps;
    this.keepUp = new KeepUp({ database, source, clock, models: new LiveModels(database.pool, declared) });
  }

  /**
   * For an upgrade: builds all read models that are not live in their declared version and makes them live at once,
   * beside the versions that other processes need. Versions that no process needs any more are ended.
   * @returns the names that changed
   * @throws TwoVersionsLive while the previous upgrade is in progress
   */
  async upgrade(): Promise<string[]> {
    const found = outdated(await projectionRows(this.deps.database.pool), this.declared);
    const names = found.map(({ name }) => name);
    await withBuildLocks(this.deps.database, names, async () => {
      // Another process may have finished it meanwhile.
      const rows = await projectionRows(this.deps.database.pool);
      const left = outdated(rows, this.declared).filter(({ name }) => names.includes(name));
      const retired = left.filter(({ declared }) => declared === null).map(({ name }) => name);
      const builds = await this.openAll(left.flatMap(({ name, declared }) => (declared === null ? [] : [name])));
      if (left.length > 0) await this.openBeside(builds, retired);
    });
    await this.settle();
    return names;
  }

  /**
   * Ends side-by-side versions where all running processes need the same version.
   * @returns the names of read models that are live alone now, or deleted
   */
  async settle(): Promise<string[]> {
    const rows = [...(await projectionRows(this.deps.database.pool)).values()];
    const names = rows.filter(({ sideBySide }) => sideBySide).map(({ name }) => name);
    if (names.length === 0) return [];
    return withBuildLocks(this.deps.database, names, () => endSideBySide(this.deps, this.keepUp, this.declared));
  }

  /**
   * Builds these projections without switching, so that `diff` can be inspected first.
   * @param options.restart deletes what an earlier build left
   */
  async build(names: readonly string[], options: { readonly restart?: boolean } = {}): Promise<void> {
    await withBuildLocks(this.deps.database, names, async () => {
      for (const build of await this.openAll(names, options.restart)) await build.catchUp();
    });
  }

  /**
   * Builds these projections and makes them live. A new build of the live version replaces it. Another version becomes
   * live beside it while processes need the previous one.
   */
  async run(names: readonly string[], options: { readonly restart?: boolean } = {}): Promise<void> {
    await withBuildLocks(this.deps.database, names, async () => {
      const builds = await this.openAll(names, options.restart);
      const rows = await projectionRows(this.deps.database.pool);
      const isLive = ({ projection }: Build) => liveGeneration(rows.get(projection.name), projection) !== null;
      const same = builds.filter(isLive);
      const others = builds.filter((build) => !isLive(build));
      if (same.length > 0) await switchTo(this.deps, same);
      if (others.length > 0) await this.openBeside(others);
      for (const build of same) build.report('live');
    });
    await this.settle();
  }

  /**
   * Compares the version in the build with the live one at the same position of the log.
   * @throws Error if nothing is built, or the live one is behind the build (it catches up within moments)
   */
  async diff(name: string): Promise<Difference[]> {
    const projection = this.find(name);
    const { database } = this.deps;
    return withBuildLocks(database, [name], async () => {
      const rows = await projectionRows(database.pool);
      if (rows.get(name)?.nextVersion !== projection.version)
        throw new Error(`there is no build of read model ${name}`);
      const build = await Build.open(this.deps, projection);
      return database.transaction(BEGIN_COMPARISON, async (client) => {
        const row = liveRow(await projectionRows(client), name);
        const positions = await this.positionsOf(row, client);
        await refuseAhead(build, positions, client);
        await build.take(await build.missing(positions, client), client);
        const live = liveSchema({ name, version: row.version });
        return compareTables(client, projection.tables, [live, build.schema], row.version === projection.version);
      });
    });
  }

  /**
   * The replay law: compares the live rows of all read models with the rows of a replay of the log, in one pass. It
   * holds one snapshot for that time and leaves nothing behind. For a large log, `build` and `diff` are better.
   * @returns the tables that differ
   * @throws Error if another version of a read model is live
   */
  async compareWithReplay(): Promise<Difference[]> {
    const { database, source, pageSize = 5_000 } = this.deps;
    const names = this.declared.map(({ name }) => name);
    return withBuildLocks(database, names, () =>
      database.transaction(BEGIN_COMPARISON, async (client) => {
        const rows = await projectionRows(client);
        const heads = await source.heads(null, client);
        const replay = new Replay(client);
        for (const projection of this.declared) {
          const { name } = projection;
          const row = rows.get(name);
          const generation = liveGeneration(row, projection);
          if (generation === null) throw new Error(`read model ${name} is live in version ${row?.version ?? 'none'}`);
          const isAtHead = projection.lifecycle === 'inline' && !row?.sideBySide;
          replay.add(projection, isAtHead ? heads : await reachedBy({ projection: name, generation }, client));
        }
        const spans = [...heads].map(([realmId, until]) => ({ realmId, after: 0, until }));
        return replay.differences(pagesOf(source, spans, pageSize, client));
      }),
    );
  }

  /** The position that the live rows have reached, on the client's snapshot. */
  private async positionsOf(row: ProjectionRow, client: ClientBase): Promise<ReadonlyMap<RealmId, Position>> {
    if (row.lifecycle === 'inline') return this.deps.source.heads(null, client);
    return reachedBy({ projection: row.name, generation: row.generation }, client);
  }

  private async openAll(names: readonly string[], restart = false): Promise<Build[]> {
    const builds: Build[] = [];
    for (const name of names) builds.push(await Build.open(this.deps, this.find(name), restart));
    return builds;
  }

  private async openBeside(builds: readonly Build[], retired: readonly string[] = []): Promise<void> {
    await openBeside(this.deps, builds, retired);
    for (const build of builds) build.report('live');
  }

  private find(name: string): Projection {
    const projection = this.declared.find((one) => one.name === name);
    if (projection === undefined) throw new Error(`there is no read model ${name}`);
    return projection;
  }
}

function liveRow(rows: ReadonlyMap<string, ProjectionRow>, name: string): LiveRow {
  const row = rows.get(name);
  if (row === undefined || row.version === null) throw new Error(`read model ${name} is not live yet`);
  return { ...row, version: row.version };
}

type LiveRow = ProjectionRow & { readonly version: number };

async function reachedBy(generation: Generation, client: ClientBase): Promise<ReadonlyMap<RealmId, Position>> {
  const checkpoints = await checkpointsOf(client, generation);
  return new Map([...checkpoints].map(([realmId, { position }]) => [realmId, position as Position]));
}

async function refuseAhead(build: Build, live: ReadonlyMap<RealmId, Position>, client: ClientBase): Promise<void> {
  for (const [realmId, { position }] of await checkpointsOf(client, build.generation)) {
    const reached = live.get(realmId) ?? 0;
    if (position <= reached) continue;
    throw new Error(`the build is at position ${position} of realm ${realmId}, the live read model only at ${reached}`);
  }
}
