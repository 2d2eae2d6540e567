import { setTimeout as pause } from 'node:timers/promises';
import { crash, killWalWriter, recovered } from '../faults/crash';
import type { FaultyRedis } from '../support/faults/faulty-redis';
import type { Supervised } from './supervised';
import type { System } from './system';

/** How long a process is frozen or unavailable, in ms. */
const AWAY_MS = { least: 500, most: 4_000 };

/** Something that happens to a server in operation. */
export interface Fault {
  readonly kind: string;
  /** Resolves at the fault's end: all parts run again, and those that were started serve. */
  readonly happen: () => Promise<void>;
}

/** Every kind of fault of a system, one of each. */
export function faultsOf(system: System, random: () => number): Fault[] {
  const oneOf = (some: readonly Supervised[]): Supervised => {
    const one = some[Math.floor(random() * some.length)];
    if (!one) throw new Error('there is no such process');
    return one;
  };
  const away = () => pause(AWAY_MS.least + random() * (AWAY_MS.most - AWAY_MS.least));
  const ofPrograms = (['apis', 'workers'] as const).flatMap((which) => {
    const name = which === 'apis' ? 'api' : 'worker';
    const one = () => oneOf(system[which]);
    return [
      { kind: `kill -9 of one ${name}`, happen: () => killed(one()) },
      { kind: `one ${name} frozen`, happen: () => frozen(one(), away) },
      { kind: `restart of one ${name}`, happen: () => restarted(one()) },
    ];
  });
  return [
    ...ofPrograms,
    { kind: 'kill -9 of both workers', happen: async () => void (await Promise.all(system.workers.map(killed))) },
    { kind: 'everything at once', happen: () => powerLost(system) },
    ...crashesOf(system),
    ...(system.redis ? ofRedis(system.redis, away) : []),
  ];
}

/** Those of them in which PostgreSQL loses what was committed without waiting for the disk. */
export const crashesOf = (system: System): Fault[] => [
  { kind: 'PostgreSQL stopped at once', happen: () => postgresStopped(system) },
  { kind: 'kill -9 inside PostgreSQL', happen: () => postgresCrashed(system, crash) },
  { kind: 'kill -9 of the WAL writer', happen: () => postgresCrashed(system, killWalWriter) },
];

const ofRedis = (redis: FaultyRedis, away: () => Promise<unknown>): Fault[] => [
  { kind: 'Redis flushed', happen: () => redis.flushAll() },
  {
    kind: 'Redis away',
    happen: async () => {
      await redis.stop();
      await away();
      await redis.restart();
    },
  },
  {
    kind: 'Redis frozen',
    happen: async () => {
      redis.freeze();
      await away();
      redis.thaw();
    },
  },
];

async function killed(one: Supervised): Promise<void> {
  await one.kill();
  await one.start();
}

async function restarted(one: Supervised): Promise<void> {
  await one.endInOrder();
  await one.start();
}

async function frozen(one: Supervised, away: () => Promise<unknown>): Promise<void> {
  one.freeze();
  try {
    await away();
  } finally {
    one.resume();
  }
}

async function postgresStopped(system: System): Promise<void> {
  await system.crashPostgres();
  await system.startPostgres();
}

/** A power failure of the machine. */
async function powerLost(system: System): Promise<void> {
  const programs = [...system.apis, ...system.workers];
  await Promise.all([...programs.map((one) => one.kill()), system.crashPostgres(), system.redis?.stop()]);
  await Promise.all([system.startPostgres(), system.redis?.restart()]);
  await Promise.all(programs.map((one) => one.start()));
}

async function postgresCrashed({ databaseUrl }: System, kill: (url: string) => Promise<void>): Promise<void> {
  await kill(databaseUrl);
  await recovered(databaseUrl);
}
