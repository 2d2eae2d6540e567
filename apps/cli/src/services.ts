import { existsSync } from 'node:fs';
import { CannotStart, startPostgres } from '@annals/embedded';
import { runningRedis } from '../../shared/src/running-redis';
import type { Settings } from '../../shared/src/settings';

export interface CliServices {
  /** With `DATABASE_URL`, and `REDIS_URL` where there is one. */
  readonly settings: Settings;
  readonly stop: () => Promise<void>;
}

/**
 * The services the settings name, or those of the data folder: the running ones; a database that does not run is started
 * for this command.
 *
 * @throws CannotStart when there is no database
 */
export async function servicesOf(settings: Settings, note: (line: string) => void): Promise<CliServices> {
  if (settings.DATABASE_URL !== undefined) return { settings, stop: async () => undefined };
  const dataDir = settings.ANNALS_DATA_DIR;
  if (!existsSync(dataDir)) {
    throw new CannotStart(`There is no data folder ${dataDir}. Set DATABASE_URL or ANNALS_DATA_DIR.`);
  }
  const { url, stop } = await startPostgres({ dataDir, log: note });
  const redis = settings.REDIS_URL ?? runningRedis(dataDir);
  return { settings: { ...settings, DATABASE_URL: url, ...(redis === undefined ? {} : { REDIS_URL: redis }) }, stop };
}
