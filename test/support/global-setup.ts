import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, copyFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRedis } from '@annals/embedded';
import type { RunningPostgres, RunningRedis } from '@annals/embedded';
import { prepareTemplate } from './server/template';

export interface Services {
  readonly folder: string;
  readonly postgres: RunningPostgres;
  readonly redis: RunningRedis | undefined;
}

declare global {
  var annalsTestServices: Services | undefined;
}

/** A file system in memory, where there is one. */
const MEMORY = '/dev/shm';
/** Many times what the suite keeps at once. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Where specs store their files: in memory if there is much of it. Each database is a thousand files that are created
 * and deleted, which takes file systems on disks longer than PostgreSQL's own work.
 */
function folderForFiles(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES && runsPrograms(MEMORY) ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Specs also start programs from there. */
function runsPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'annals-probe-'));
  try {
    const program = join(folder, 'program');
    copyFileSync('/bin/true', program);
    return spawnSync(program).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Starts what the suite runs against: always a PostgreSQL, and a Redis where the machine has one, unless
 * ANNALS_TEST_QUEUES is `postgres`. Specs find them in ANNALS_TEST_DATABASE_URL and ANNALS_TEST_REDIS_URL (unset:
 * queues on PostgreSQL).
 */
export default async function globalSetup(): Promise<void> {
  process.env['TMPDIR'] = folderForFiles();
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
