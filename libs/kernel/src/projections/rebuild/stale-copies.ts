import type { Position, RealmId } from '../../domain/index';
import type { Database } from '../../database/database';
import { forgetNext } from './build';
import { BuildInProgress, withBuildLocks } from './build-lock';
import type { Generation } from '../checkpoints/checkpoints';
import { forgetPrevious, lockProjection } from '../versions/projection-store';

/**
 * Drops every copy of a read model that no process updates and that has not applied the event at this position: a
 * replaced version or an abandoned build. Otherwise a copy keeps for ever what the event deletes from read models.
 * @returns the names of read models that another process is building from events before the position, that follow the log and
 * have not reached it, or that are live in two versions of which one has not reached it. They reach it later, or a later call
 * drops them.
 */
export async function dropCopiesBefore(database: Database, realmId: RealmId, position: Position): Promise<string[]> {
  const { rows } = await database.pool.query<Generation & { kind: 'replaced' | 'build' | 'live' }>(
    `SELECT p.name AS projection, g.generation, g.kind FROM projections p
     CROSS JOIN LATERAL (VALUES (p.prev_generation, 'replaced'),
       (p.next_generation, CASE WHEN p.side_by_side THEN 'live' ELSE 'build' END),
       (CASE WHEN (p.side_by_side OR p.lifecycle = 'background') AND p.version IS NOT NULL THEN p.generation END,
         'live')) AS g(generation, kind)
     LEFT JOIN projection_checkpoints c
       ON c.realm_id = $1 AND c.projection = p.name AND c.generation = g.generation
     WHERE g.generation IS NOT NULL AND coalesce(c.position, 0) < $2
       -- A build may be about to take its first page; what was replaced takes nothing any more.
       AND (g.kind <> 'replaced' OR c.position IS NOT NULL) ORDER BY p.name`,
    [realmId, position],
  );
  const building: string[] = [];
  for (const copy of rows) {
    if (copy.kind === 'replaced') await dropPrevious(database, copy);
    else if (copy.kind === 'live' || !(await dropLeftBuild(database, copy))) building.push(copy.projection);
  }
  return building;
}

async function dropPrevious(database: Database, { projection, generation }: Generation): Promise<void> {
  await database.transaction('BEGIN', async (client) => {
    const row = await lockProjection(client, projection);
    if (row?.prevGeneration === generation) await forgetPrevious(client, row);
  });
}

/** Returns false if another process is working on it. */
async function dropLeftBuild(database: Database, { projection, generation }: Generation): Promise<boolean> {
  try {
    await withBuildLocks(database, [projection], () =>
      database.transaction('BEGIN', async (client) => {
        const row = await lockProjection(client, projection);
        if (row?.nextGeneration === generation) await forgetNext(client, row);
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof BuildInProgress) return false;
    throw error;
  }
}
