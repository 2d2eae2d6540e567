import type { FaultyRedis } from './faulty-redis';

export type RedisFault = readonly [what: string, harm: () => Promise<unknown>, heal: () => Promise<unknown>];

/** Faults of a Redis, each with its repair. @param redis asked for when a fault begins */
export const redisFaults = (redis: () => FaultyRedis): readonly RedisFault[] => [
  ['is flushed', () => redis().flushAll(), async () => undefined],
  ['is away', () => redis().stop(), () => redis().restart()],
  ['does not answer', async () => redis().freeze(), async () => redis().thaw()],
];
