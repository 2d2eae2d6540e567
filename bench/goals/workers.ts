import type { Goal } from './goal';

/** Wake-ups a second of a process that has nothing to do. */
const IDLE = 10;

const PARTS = {
  worker: 'workers',
  postgres: 'PostgreSQL',
  'worker.wakeups': 'wake-ups of workers',
  'postgres.wakeups': 'wake-ups of PostgreSQL',
};

/** The figures for one and for four workers. */
export const workerGoals: readonly Goal[] = [
  ...(
    [
      ['single', 'one organization'],
      ['several', 'eight organizations'],
    ] as const
  ).flatMap(([name, words]): Goal[] => [
    {
      goal: `processor time of workers and PostgreSQL for a message, 200 a second to ${words}: four workers / one`,
      ours: `workers.${name}.four.total`,
      limit: `workers.${name}.one.total`,
      floor: { atMost: 1.3 },
    },
    ...Object.entries(PARTS).map(([part, what]) => ({
      goal: `the same: ${what}`,
      ours: `workers.${name}.four.${part}`,
      limit: `workers.${name}.one.${part}`,
    })),
  ]),
  {
    goal: 'wake-ups of a worker with nothing to do',
    ours: 'workers.idle.one.worker.wakeups',
    floor: { atMost: IDLE },
  },
  { goal: 'processor time of a worker with nothing to do', ours: 'workers.idle.one.worker' },
  {
    goal: 'wake-ups of an api with nothing to do',
    ours: 'workers.idle.one.api.wakeups',
    floor: { atMost: IDLE },
  },
  { goal: 'processor time of an api with nothing to do', ours: 'workers.idle.one.api' },
  { goal: 'processor time of PostgreSQL with one worker and nothing to do', ours: 'workers.idle.one.postgres' },
  { goal: 'wake-ups of each of four workers with nothing to do', ours: 'workers.idle.four.worker.wakeups' },
  { goal: 'processor time of each of four workers with nothing to do', ours: 'workers.idle.four.worker' },
  { goal: 'processor time of PostgreSQL with four workers and nothing to do', ours: 'workers.idle.four.postgres' },
];
