import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Kernel } from '../kernel';
import { forgetCheckpoints } from '../projections/checkpoints/checkpoints';
import { forgetNext } from '../projections/rebuild/build';
import { forgetPrevious, lockProjection } from '../projections/versions/projection-store';

/** What was beyond the ends of the logs and is no more. */
export interface LetGo {
  /** In the words of each context that keeps something beside the log. */
  readonly told: readonly string[];
  /** Readers that were brought back to the end of the log. */
  readonly readers: readonly string[];
  /** Background read models that hold rows of events that are no more: they have to be built anew. */
  readonly rebuild: readonly string[];
}

/**
 * First part of going on after a restore, in one transaction during which all writers wait: lets go of everything beside
 * the logs that speaks of positions they do not have. The installation gets a new id, so that no process that began
 * before goes on, and no job or wake-up of such a process reaches one that begins now. May be repeated.
 */
export async function letGoOfWhatIsGone({ database, events, options }: Kernel): Promise<LetGo> {
  return database.transaction('BEGIN; SET LOCAL statement_timeout = 0', async (client) => {
    await events.lockHeads(client);
    const told: string[] = [];
    for (const { restored } of options.contexts) if (restored) told.push(await restored(client));
    const { readers, rebuild } = await bringBack(client);
    await client.query('UPDATE installation SET id = $1', [randomUUID()]);
    return { told, readers, rebuild };
  });
}

async function bringBack(client: ClientBase): Promise<Pick<LetGo, 'readers' | 'rebuild'>> {
  const { rows } = await client.query<{ projection: string; generation: number }>(
    `SELECT DISTINCT projection, generation FROM projection_checkpoints c LEFT JOIN realm_heads h USING (realm_id)
     WHERE c.position > coalesce(h.position, 0) ORDER BY projection, generation`,
  );
  const [readers, rebuild]: [string[], string[]] = [[], []];
  for (const ahead of rows) {
    const row = await lockProjection(client, ahead.projection);
    if (row?.generation === ahead.generation && row.lifecycle === 'reader') {
      await bringReaderBack(client, row.name);
      readers.push(row.name);
    } else if (row?.generation === ahead.generation && row.lifecycle === 'background') rebuild.push(row.name);
    else if (row?.nextGeneration === ahead.generation) await forgetNext(client, row);
    else if (row?.prevGeneration === ahead.generation) await forgetPrevious(client, row);
    else await forgetCheckpoints(client, ahead);
  }
  return { readers, rebuild };
}

/** A reader has no rows of its own: from the end of the log it goes on as if the rest had never been. */
async function bringReaderBack(client: ClientBase, name: string): Promise<void> {
  await client.query(
    `WITH back AS (
       UPDATE projection_checkpoints c SET position = h.position, status = 'running'
       FROM realm_heads h WHERE c.projection = $1 AND h.realm_id = c.realm_id AND c.position > h.position
       RETURNING c.realm_id
     ), gone AS (
       DELETE FROM projection_checkpoints c
       WHERE c.projection = $1 AND NOT EXISTS (SELECT FROM realm_heads h WHERE h.realm_id = c.realm_id)
       RETURNING c.realm_id
     )
     DELETE FROM parked_events p USING (TABLE back UNION TABLE gone) AS b
     WHERE p.projection = $1 AND p.realm_id = b.realm_id`,
    [name],
  );
}
