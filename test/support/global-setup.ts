import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRedis } from '@annals/embedded';
import type { RunningPostgres, RunningRedis } from '@annals/embedded';
import { prepareTemplate } from './template';

export interface Services {
  readonly folder: string;
  readonly postgres: RunningPostgres;
  readonly redis: RunningRedis | undefined;
}

declare global {
  var annalsTestServices: Services | undefined;
}

/**
 * Starts what the suite runs against: always a PostgreSQL, and a Redis where the machine has one, unless
 * ANNALS_TEST_QUEUES is `postgres`. Specs find them in ANNALS_TEST_DATABASE_URL and ANNALS_TEST_REDIS_URL (unset:
 * queues on PostgreSQL).
 */
export default async function globalSetup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-test-'));
  chmodSync(folder, 0o755); // for the user PostgreSQL runs as when we are root
  const log = () => undefined;
  const postgres = await startPostgres({ dataDir: folder, log });
  const onRedis = process.env['ANNALS_TEST_QUEUES'] !== 'postgres';
  const redis = onRedis ? await startRedis({ dataDir: folder, log }) : undefined;
  globalThis.annalsTestServices = { folder, postgres, redis };
  await prepareTemplate(postgres.url);
  process.env['ANNALS_TEST_DATABASE_URL'] = postgres.url;
  delete process.env['ANNALS_TEST_REDIS_URL'];
  if (redis) process.env['ANNALS_TEST_REDIS_URL'] = redis.url;
}
