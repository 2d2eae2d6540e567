import type { Goal } from './goal';

const CALLERS = [1, 16, 128, 512];

const callers = (count: number): string => (count === 1 ? '1 caller' : `${count} callers`);

const limits = [1, 16, 128].map((count): Goal => ({
  goal: `limit: single-row INSERT and COMMIT, ${callers(count)}`,
  limit: `raw.${count}.rate`,
}));

const appends = CALLERS.flatMap((count): Goal[] => [
  { goal: `append, ${callers(count)}`, ours: `append.${count}.rate` },
  { goal: `append, ${callers(count)}: p50`, ours: `append.${count}.p50` },
  { goal: `append, ${callers(count)}: p99`, ours: `append.${count}.p99` },
]);

/** Goals of the event log alone. */
export const logGoals: readonly Goal[] = [
  ...limits,
  { goal: 'limit: 1,000-row INSERT, one connection', limit: 'raw.bulk.rate' },
  ...appends,
  ...[1, 16, 128].map((count): Goal => ({
    goal: `append, ${callers(count)} / single-row commits, ${callers(count)}`,
    ours: `append.${count}.rate`,
    limit: `raw.${count}.rate`,
  })),
  {
    goal: 'append, 128 callers / 1,000-row INSERT on one connection',
    ours: 'append.128.rate',
    limit: 'raw.bulk.rate',
    floor: { atLeast: 0.18 },
  },
  {
    goal: "append, 128 callers / emmett's bare append",
    ours: 'append.128.rate',
    limit: 'emmett.rate',
    floor: { atLeast: 5 },
  },
  {
    goal: "append, 128 callers / message-db's bare append",
    ours: 'append.128.rate',
    limit: 'message-db.rate',
    floor: { atLeast: 6 },
  },
  {
    goal: 'one caller: p50 / p50 of a single-row commit',
    ours: 'append.1.p50',
    limit: 'raw.1.p50',
    floor: { atMost: 3 },
  },
  { goal: '128 callers: p99 / p50', ours: 'append.128.p99', limit: 'append.128.p50', floor: { atMost: 3 } },
  {
    goal: '64 realms, 64 callers, 2 lanes / one realm, 128 callers',
    ours: 'realms.many.rate',
    limit: 'realms.one.rate',
    floor: { atLeast: 0.45 },
  },
  {
    goal: '64 realms, 256 callers: four processes that share them / one process',
    ours: 'shared-realms.four.rate',
    limit: 'shared-realms.one.rate',
    floor: { atLeast: 0.9 },
  },
  {
    goal: '64 realms, 256 callers: four processes that share them / four processes that share none',
    ours: 'shared-realms.four.rate',
    limit: 'shared-realms.apart.rate',
  },
  {
    goal: 'one command in ten in conflict on one stream / none',
    ours: 'conflicts.some.rate',
    limit: 'conflicts.none.rate',
    floor: { atLeast: 0.9 },
  },
  {
    goal: 'one command in a thousand refused by PostgreSQL / none',
    ours: 'poison.some.rate',
    limit: 'poison.none.rate',
    floor: { atLeast: 0.6 },
  },
  { goal: 'full log / empty log', ours: 'stored.full.rate', limit: 'stored.empty.rate', floor: { atLeast: 0.65 } },
  {
    goal: 'slowest moment under a held snapshot / before',
    ours: 'snapshot.lowest.rate',
    limit: 'snapshot.before.rate',
    floor: { atLeast: 0.7 },
  },
  { goal: 'rebuild of the read model of messages', ours: 'rebuild.rate', floor: { atLeast: 40_000 } },
];
