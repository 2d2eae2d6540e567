import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { familyOf } from '../../test/support/process-tree';
import type { Bench } from '../harness';
import type { Annals } from './annals';

/** Length of the kernel's ticks, in µs. */
const TICK_US = 10_000;
/** Places in /proc/<pid>/stat, counted behind the name: of the process itself, and of its children that have ended. */
const OWN = [11, 12];
const OF_CHILDREN = [13, 14];

export const PARTS = ['api', 'postgres', 'worker', 'redis', 'load'] as const;
export type Part = (typeof PARTS)[number];

/** Processor time that each part of a server has used since it began, in µs. */
export type ProcessorTime = Readonly<Record<Part, number>>;

/** Reads, by the kernel's own account, the processor time of everything that takes part in a send; Linux only. */
export class ProcessorTimes {
  private constructor(
    private readonly annals: Annals,
    private readonly postgres: number,
    private readonly redis: number | null,
  ) {}

  static async of(annals: Annals, { postgres, redisUrl }: Bench): Promise<ProcessorTimes> {
    return new ProcessorTimes(annals, postgres, redisUrl === undefined ? null : await redisPid(redisUrl));
  }

  /** The load is this process and its children that have ended. @throws Error where the kernel gives no such account */
  read(): ProcessorTime {
    const { annals, postgres, redis } = this;
    const ofPostgres = familyOf(postgres).reduce((sum, pid) => sum + timeOf(pid, OWN), timeOf(postgres, OF_CHILDREN));
    return {
      api: timeOf(annals.api, OWN),
      worker: timeOf(annals.worker, OWN),
      postgres: ofPostgres,
      redis: redis === null ? 0 : timeOf(redis, OWN),
      load: timeOf(process.pid, [...OWN, ...OF_CHILDREN]),
    };
  }
}

async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  } finally {
    redis.disconnect();
  }
}

function timeOf(pid: number, places: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return places.reduce((sum, place) => sum + Number(fields[place]), 0) * TICK_US;
}
