import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Services } from './services';

/** The machine of the measurements, without which the figures have little meaning. */
export interface Machine {
  readonly cpus: string;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly postgresql: string;
  /** Where queues and wake-ups were. */
  readonly queues: 'Redis' | 'PostgreSQL';
  /** How often the disk of the database confirms one written page, per second. */
  readonly flushesPerSecond: number;
  /** The load average of the last minute before the benchmark, which shows whether other programs ran. */
  readonly loadBefore: number;
  /** The commit that was measured, with `+` when files had been changed. */
  readonly commit: string;
}

const PAGE_BYTES = 8_192;
const FLUSHING_MS = 1_000;

/** Describes this machine. Takes about a second, for the flushes. */
export async function describeMachine(services: Services, loadBefore: number): Promise<Machine> {
  const [cpu] = cpus();
  return {
    cpus: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}, ${process.arch}`,
    node: process.versions.node,
    postgresql: await serverVersion(services.adminUrl),
    queues: services.redisUrl === undefined ? 'PostgreSQL' : 'Redis',
    flushesPerSecond: Math.round(flushesPerSecond(services.folder)),
    loadBefore,
    commit: commit(),
  };
}

/** The load average of the last minute, before the benchmark adds to it. */
export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

async function serverVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}

/** The limit of single commits: a page written and flushed again and again, as PostgreSQL does with its log. */
function flushesPerSecond(folder: string): number {
  const path = join(folder, 'flushes');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const began = performance.now();
  let flushes = 0;
  try {
    for (; performance.now() - began < FLUSHING_MS; flushes++) {
      writeSync(file, page, 0, PAGE_BYTES, 0);
      fdatasyncSync(file);
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  return flushes / ((performance.now() - began) / 1_000);
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no').trim() !== '';
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? '+' : '');
  } catch {
    return 'unknown'; // an archive of the sources has no history
  }
}
