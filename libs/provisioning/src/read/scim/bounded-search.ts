import type { Database } from '@annals/kernel';
import { isCancelled } from '@annals/kernel';
import type { ClientBase } from 'pg';
import { reject } from '../../domain/scim/rejections';

/**
 * Runs the statements of a search on one snapshot.
 *
 * @param longestMs how long each statement may take
 * @throws Rejected TOO_MANY when one takes longer
 */
export async function searchWithin<T>(
  database: Database,
  longestMs: number,
  search: (client: ClientBase) => Promise<T>,
): Promise<T> {
  try {
    return await database.snapshot(async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${longestMs}`);
      return search(client);
    });
  } catch (error) {
    if (isCancelled(error)) throw reject.tooMany({ why: 'The search takes too long. Ask for less at once.' });
    throw error;
  }
}
