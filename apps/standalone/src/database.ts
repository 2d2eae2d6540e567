import { Client } from 'pg';
import { CannotStart, reasonOf, startPostgres } from '@annals/embedded';
import { notOurs, place } from './service';
import type { Say, UsedService } from './service';
import type { Settings } from '../../shared/src/settings';

interface Database extends UsedService<string> {
  /** Settles when an embedded one has ended, for any reason. */
  readonly ended: Promise<void>;
}

/**
 * The database of DATABASE_URL, else an embedded one in the data folder.
 * @throws CannotStart when it cannot be used.
 */
export async function openDatabase(settings: Settings, say: Say, signal: AbortSignal): Promise<Database> {
  const { DATABASE_URL: url, ANNALS_DATA_DIR: dataDir } = settings;
  if (url === undefined) {
    const postgres = await startPostgres({ dataDir, log: say, ifRunning: 'replace', signal });
    return { ...postgres, where: `PostgreSQL in ${postgres.folder}` };
  }
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // it is asked for its answer only, and given up right after
  try {
    await client.connect();
  } catch (error) {
    throw new CannotStart(`The database of DATABASE_URL (${place(url)}) cannot be used: ${reasonOf(error)}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
  return {
    url,
    where: `PostgreSQL at ${place(url)} (DATABASE_URL)`,
    ended: new Promise(() => undefined),
    stop: notOurs,
  };
}
