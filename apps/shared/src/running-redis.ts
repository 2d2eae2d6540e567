import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'redis-url');

/**
 * Stores the address of the Redis that was started for this data folder, for commands beside it.
 *
 * @returns a function that deletes it
 */
export function announceRedis(dataDir: string, url: string): () => void {
  writeFileSync(fileIn(dataDir), url, { mode: 0o600 });
  return () => rmSync(fileIn(dataDir), { force: true });
}

/** The Redis that runs for this data folder; undefined when there is none. */
export function runningRedis(dataDir: string): string | undefined {
  try {
    return readFileSync(fileIn(dataDir), 'utf8');
  } catch {
    return undefined;
  }
}
