import type { ClientBase } from 'pg';
import type { Position, RealmId } from '../../domain/index';
import type { Declared } from './announcement';
import { announced, declaredBy } from './announcement';
import type { Build, BuildDeps } from '../rebuild/build';
import { forgetCheckpoints, setCheckpoints, unpark } from '../checkpoints/checkpoints';
import type { Projection } from '../definition/define';
import type { KeepUp } from '../inline/keep-up';
import type { ProjectionRow } from './projection-store';
import { beginEdition, dropProjection, forgetPrevious, lockProjection, projectionRows } from './projection-store';
import { catchingUp, inShortTransaction, rowToSwitch, takeMissing } from './switch';
import { liveSchema, previousSchema, quotedIdentifier } from '../definition/tables';

/**
 * Makes builds live beside the live versions, in one transaction. From then on, processes of both versions serve. Each
 * brings its own tables to the head before it reads or writes (`KeepUp`), so both have checkpoints.
 * @param retired names of live projections that this code does not know
 */
export async function openBeside(
  deps: BuildDeps,
  builds: readonly Build[],
  retired: readonly string[] = [],
): Promise<void> {
  await inShortTransaction(deps, catchingUp(builds), async (client) => {
    const before = await projectionRows(client);
    const isInline =
      builds.some(({ projection }) => projection.lifecycle === 'inline') ||
      [...builds.map(({ projection }) => projection.name), ...retired].some(
        (name) => before.get(name)?.lifecycle === 'inline',
      );
    const heads = isInline ? await deps.source.lockHeads(client) : await deps.source.heads(null, client);
    if (!(await takeMissing(builds, heads, client))) return false;
    for (const build of builds) {
      const row = await rowToSwitch(client, build);
      await beginSideBySide(deps, client, row, heads);
      await rename(client, build.schema, liveSchema(build.projection));
    }
    for (const name of retired) {
      const row = await lockProjection(client, name);
      if (row !== undefined) await beginSideBySide(deps, client, row, heads);
    }
    await beginEdition(client);
    return true;
  });
}

async function beginSideBySide(
  deps: BuildDeps,
  client: ClientBase,
  row: ProjectionRow,
  heads: ReadonlyMap<RealmId, Position>,
): Promise<void> {
  await client.query('UPDATE projections SET side_by_side = true, changed_at = $2 WHERE name = $1', [
    row.name,
    deps.clock.now(),
  ]);
  if (row.version === null || row.lifecycle !== 'inline') return;
  await setCheckpoints(client, { projection: row.name, generation: row.generation }, heads, deps.clock.now());
}

/** The outcome for a read model of which two versions are live. */
type Outcome = 'both stay' | 'first stays' | 'next stays' | 'neither stays';

/**
 * Ends side-by-side versions where no process needs the other version any more, in one transaction. The remaining
 * version is brought to the heads and is live alone. The other one becomes the previous version.
 * @param keepUp of this code
 * @param declared the projections of this code, without which nothing can be brought to the heads
 * @returns the names of those that are live alone now, or deleted
 */
export async function endSideBySide(
  deps: BuildDeps,
  keepUp: KeepUp,
  declared: readonly Projection[],
): Promise<string[]> {
  const { database, source, clock } = deps;
  const isDouble = (row: ProjectionRow) => row.sideBySide;
  if (![...(await projectionRows(database.pool)).values()].some(isDouble)) return [];
  const mine = declaredBy(declared);
  const inline = new Set(declared.flatMap(({ name, lifecycle }) => (lifecycle === 'inline' ? [name] : [])));
  let ended: string[] = [];
  const prepare = () => keepUp.reachAll();
  await inShortTransaction(deps, prepare, async (client) => {
    ended = [];
    const there = [mine, ...(await announced(client, clock.now(), deps.steadySince?.() ?? null))];
    const over = [...(await projectionRows(client)).values()]
      .filter(isDouble)
      .filter((row) => outcomeOf(row, there, mine) !== 'both stay');
    if (over.length === 0) return true;
    if (over.some(({ name, lifecycle }) => lifecycle === 'inline' || inline.has(name))) {
      await source.lockHeads(client);
      if (!(await keepUp.reachAllIn(client))) return false;
    }
    for (const { name } of over) {
      const row = await lockProjection(client, name);
      if (!row?.sideBySide) continue;
      await end(deps, client, row, outcomeOf(row, there, mine), declared);
      ended.push(name);
    }
    await beginEdition(client);
    return true;
  });
  return ended;
}

export function outcomeOf(row: ProjectionRow, there: readonly Declared[], mine: Declared): Outcome {
  const needed = new Set(there.map((declared) => declared[row.name] ?? null));
  const [first, next] = [needed.has(row.version), needed.has(row.nextVersion)];
  if (first && next) return 'both stay';
  if (!first && !next) return 'neither stays';
  const left = first ? row.version : row.nextVersion;
  // Only its own code can bring a version to the heads. The absence of a read model needs no code.
  if (left !== null && left !== (mine[row.name] ?? null)) return 'both stay';
  return first ? 'first stays' : 'next stays';
}

async function end(
  { clock }: BuildDeps,
  client: ClientBase,
  row: ProjectionRow,
  outcome: Outcome,
  declared: readonly Projection[],
): Promise<void> {
  const left = outcome === 'first stays' ? row.version : outcome === 'next stays' ? row.nextVersion : null;
  if (left === null) {
    await dropProjection(client, row);
    return;
  }
  const goes =
    outcome === 'first stays' ? side(row.nextVersion, row.nextGeneration) : side(row.version, row.generation);
  const stays = outcome === 'first stays' ? row.generation : row.nextGeneration;
  const lifecycle = declared.find(({ name }) => name === row.name)?.lifecycle ?? row.lifecycle;
  await forgetPrevious(client, row);
  if (goes !== null) {
    await rename(client, liveSchema({ name: row.name, version: goes.version }), previousSchema(row.name));
    await unpark(client, { projection: row.name, generation: goes.generation });
  }
  await client.query(
    `UPDATE projections SET lifecycle = $2, version = $3, generation = $4, prev_version = $5, prev_generation = $6,
       next_version = NULL, next_generation = NULL, next_indexed = false, side_by_side = false, changed_at = $7
     WHERE name = $1`,
    [row.name, lifecycle, left, stays, goes?.version ?? null, goes?.generation ?? null, clock.now()],
  );
  // A live inline projection is at the head and writes no checkpoints, so these are outdated.
  if (lifecycle === 'inline' && stays !== null)
    await forgetCheckpoints(client, { projection: row.name, generation: stays });
}

const side = (version: number | null, generation: number | null) =>
  version === null || generation === null ? null : { version, generation };

const rename = (client: ClientBase, from: string, to: string) =>
  client.query(`ALTER SCHEMA ${quotedIdentifier(from)} RENAME TO ${quotedIdentifier(to)}`);
