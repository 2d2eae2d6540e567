import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Kernel } from '../kernel';
import { forgetCheckpoints } from '../projections/checkpoints/checkpoints';
import { dropLeftPasts } from '../past/whole/pasts';
import { forgetNext } from '../projections/rebuild/build';
import { forgetPrevious, lockProjection } from '../projections/versions/projection-store';

/** The stored state beyond the ends of the logs that was discarded. */
export interface DiscardedState {
  /** A sentence of each context that stores state beside the log. */
  readonly reports: readonly string[];
  /** Readers whose checkpoint was set back to the end of the log. */
  readonly readers: readonly string[];
  /** Background read models with rows of events that no longer exist: they must be rebuilt. */
  readonly rebuild: readonly string[];
}

/**
 * First step after a restore, in one transaction during which all writers wait: discards all state beside the logs that
 * refers to positions beyond their ends. The installation gets a new id, so that no process that was started earlier can
 * continue, and none of its jobs and wake-ups reaches a process that starts now. May be repeated.
 */
export async function discardStateBeyondLog({ database, events, options }: Kernel): Promise<DiscardedState> {
  await dropLeftPasts(database);
  return database.transaction('BEGIN; SET LOCAL statement_timeout = 0', async (client) => {
    await events.lockHeads(client);
    const reports: string[] = [];
    for (const { restored } of options.contexts) if (restored) reports.push(await restored(client));
    const { readers, rebuild } = await bringBack(client);
    await client.query('UPDATE installation SET id = $1', [randomUUID()]);
    return { reports, readers, rebuild };
  });
}

async function bringBack(client: ClientBase): Promise<Pick<DiscardedState, 'readers' | 'rebuild'>> {
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

/** A reader has no rows of its own: it continues from the end of the log as if the rest had never existed. */
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
