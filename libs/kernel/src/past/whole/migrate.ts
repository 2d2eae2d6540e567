import type { Database } from '../../database/database';
import { isDependedOn } from '../../database/sql-states';
import type { PastRow } from './pasts';
import { dropLeftPasts } from './pasts';

/** A past that somebody shows reads columns that a migration changes. */
export class PastShown extends Error {
  constructor(pasts: readonly PastRow[]) {
    const which = pasts.map(({ realmId, position }) => `position ${position} of realm ${realmId}`).join(', ');
    super(`annals past shows ${which}, which reads what is to be changed: end it and repeat`);
    this.name = 'PastShown';
  }
}

/**
 * Brings the schema up to date. A past is a schema with a view of the log, so PostgreSQL refuses to change a column under
 * it, at once. Pasts that a killed process left are dropped then.
 *
 * @throws PastShown if a process builds or serves one
 */
export async function migrate(database: Database): Promise<void> {
  try {
    await database.migrate();
  } catch (error) {
    if (!isDependedOn(error)) throw error;
    const shown = await dropLeftPasts(database);
    if (shown.length > 0) throw new PastShown(shown);
    await database.migrate();
  }
}
