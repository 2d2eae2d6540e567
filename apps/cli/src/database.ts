import { existsSync } from 'node:fs';
import { CannotStart, startPostgres } from '@annals/embedded';
import type { Settings } from '../../shared/src/settings';

export interface CliDatabase {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * The database the settings name, or the one in the data folder: the running one, else it is started for this command.
 *
 * @throws CannotStart when there is neither
 */
export async function databaseOf(settings: Settings, note: (line: string) => void): Promise<CliDatabase> {
  if (settings.DATABASE_URL !== undefined) return { url: settings.DATABASE_URL, stop: async () => undefined };
  const dataDir = settings.ANNALS_DATA_DIR;
  if (!existsSync(dataDir)) {
    throw new CannotStart(`There is no data folder ${dataDir}: set DATABASE_URL or ANNALS_DATA_DIR.`);
  }
  const { url, stop } = await startPostgres({ dataDir, log: note });
  return { url, stop };
}
