import type { Goal } from './goal';

/** Goals of a server with many organizations. */
export const organizationGoals: readonly Goal[] = [
  {
    goal: '1,000 organizations: from the start of a worker until it follows',
    ours: 'organizations.start.worker',
    floor: { atMost: 10_000 },
  },
  { goal: 'the same: processor time of the worker', ours: 'organizations.start.worker.cpu' },
  {
    goal: '1,000 organizations: from the start of an api until it serves',
    ours: 'organizations.start.api',
    floor: { atMost: 10_000 },
  },
  { goal: 'the same: processor time of the api', ours: 'organizations.start.api.cpu' },
  {
    goal: '1,000 organizations, nothing to do: part of one processor, the worker',
    ours: 'organizations.idle.worker',
    floor: { atMost: 5 },
  },
  { goal: 'the same: the api', ours: 'organizations.idle.api', floor: { atMost: 5 } },
  { goal: 'the same: PostgreSQL', ours: 'organizations.idle.postgres' },
  { goal: 'POST /messages, 20 a second: p50', ours: 'noisy.alone.p50' },
  { goal: 'POST /messages, 20 a second: p99', ours: 'noisy.alone.p99' },
  { goal: 'the same beside another organization that sends on 128 connections: p50', ours: 'noisy.beside.p50' },
  { goal: 'the same beside another organization that sends on 128 connections: p99', ours: 'noisy.beside.p99' },
  { goal: 'what the other organization adds to the p99', ours: 'noisy.added', floor: { atMost: 20 } },
  { goal: 'messages of the other organization meanwhile', ours: 'noisy.rate' },
];
