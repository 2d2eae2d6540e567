import type { Goal } from './goal';

/**
 * The highest cost of a send, as a multiple of the cost of the bare server for the same requests in the same run. The goal
 * was 180 µs in full batches, on a machine on which the bare server takes 42 µs for them (39 to 52 were measured).
 * The other rates get the same multiple: the time of both is decided by what a wake-up costs on the machine.
 */
const MOST_TIMES_BARE = 4.3;
/** Wake-ups of a lone send, as a multiple of the bare server's: api and PostgreSQL as often, worker and Redis half as much. */
const MOST_WAKE_UPS = 1.5;

/** Messages a second. */
const SENDING: readonly (readonly [name: string, words: string])[] = [
  ['200', '200 a second'],
  ['2000', '2,000 a second'],
  ['most', 'as many as are answered'],
];
/** Processes of the server by the names of figures, with the part of the bare server that each is held against. */
const PROCESSES: readonly (readonly [name: string, words: string, bare?: string])[] = [
  ['total', 'all but the load generator', 'total'],
  ['api', 'api', 'server'],
  ['postgres', 'PostgreSQL', 'postgres'],
  ['worker', 'worker'],
  ['redis', 'Redis'],
  ['load', 'load generator', 'load'],
];

const costs = SENDING.flatMap(([rate, words]): Goal[] => [
  ...PROCESSES.map(([part, process, bare]) => ({
    goal: `processor time of a send, ${words}: ${process}${bare ? ' / bare insert' : ''}`,
    ours: `cost.${rate}.${part}`,
    ...(bare === undefined ? {} : { limit: `cost.${rate}.bare.${bare}` }),
    ...(part === 'total' ? { floor: { atMost: MOST_TIMES_BARE } } : {}),
  })),
  {
    goal: `the same with a client that listens, ${words}: all but the load generator / bare insert`,
    ours: `cost.${rate}.heard.total`,
    limit: `cost.${rate}.bare.total`,
  },
]);

const wakeUps = PROCESSES.filter(([part]) => part !== 'load').map(([part, process, bare]): Goal => ({
  goal: `wake-ups of a send, 200 a second: ${process}${bare ? ' / bare insert' : ''}`,
  ours: `cost.200.${part}.wakeups`,
  ...(bare === undefined ? {} : { limit: `cost.200.bare.${bare}.wakeups` }),
  ...(part === 'total' ? { floor: { atMost: MOST_WAKE_UPS } } : {}),
}));

/** Processor time and wake-ups of a send. */
export const costGoals: readonly Goal[] = [...costs, ...wakeUps];
