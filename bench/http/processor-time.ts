import { readFileSync, readdirSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { familyOf } from '../../test/support/processes/process-tree';

/** Length of the kernel's ticks, in µs. */
const TICK_US = 10_000;
/** Places in /proc/<pid>/stat, counted behind the name: of the process itself, and of its children that have ended. */
const OWN = [11, 12];
const OF_CHILDREN = [13, 14];

/** Processor time and wake-ups of some processes since they began. */
export interface Usage {
  /** Processor time in µs, by the kernel's own account; of children that have ended too. */
  readonly micros: number;
  /** How often each process that still runs waited for something and was woken (voluntary context switches). */
  readonly wakeUps: ReadonlyMap<number, number>;
}

/** Linux only. @throws Error where the kernel gives no such account, or one of the processes has ended */
export function usageOf(pids: readonly number[]): Usage {
  const micros = pids.reduce((sum, pid) => sum + timeOf(pid), 0);
  return { micros, wakeUps: new Map(pids.map((pid) => [pid, wakeUpsOf(pid)])) };
}

/** @returns processor time in µs and wake-ups between two readings; a process that ended meanwhile counts no wake-ups */
export function usedBetween(before: Usage, after: Usage): { micros: number; wakeUps: number } {
  const wakeUps = [...after.wakeUps].map(([pid, count]) => count - (before.wakeUps.get(pid) ?? 0));
  return { micros: after.micros - before.micros, wakeUps: wakeUps.reduce((sum, count) => sum + count, 0) };
}

/** All processes of a PostgreSQL that run now. */
export const postgresPids = (postmaster: number): number[] => familyOf(postmaster);

/** The process that serves the connection with this name. */
export async function backendPid(databaseUrl: string, applicationName: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const statement = 'SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()';
    const { rows } = await client.query<{ pid: number }>(statement, [applicationName]);
    const [backend] = rows;
    if (!backend) throw new Error(`nobody is connected as ${applicationName}`);
    return backend.pid;
  } finally {
    await client.end();
  }
}

export async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  } finally {
    redis.disconnect();
  }
}

/** What a part of the server has used: some processes of one kind, or all of PostgreSQL, which counts as one. */
export interface PartUsage {
  readonly part: string;
  readonly count: number;
  readonly micros: number;
  readonly wakeUps: number;
}

/** @returns a function with what these processes, and all of PostgreSQL, have used since this call */
export function meterOf(
  postmaster: number,
  processes: Readonly<Record<string, readonly number[]>>,
): () => readonly PartUsage[] {
  const read = () =>
    new Map(
      Object.entries({ ...processes, postgres: postgresPids(postmaster) }).map(([part, pids]) => [part, usageOf(pids)]),
    );
  const before = read();
  return () =>
    [...read()].map(([part, usage]) => ({
      part,
      count: processes[part]?.length ?? 1,
      ...usedBetween(before.get(part) ?? usage, usage),
    }));
}

function timeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [...OWN, ...OF_CHILDREN].reduce((sum, place) => sum + Number(fields[place]), 0) * TICK_US;
}

function wakeUpsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const counts = threads.map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
