import type { Goal } from './goal';

/** Goals of SCIM. */
export const provisioningGoals: readonly Goal[] = [
  {
    goal: 'SCIM: 10,000 people created by one directory on 8 connections',
    ours: 'scim.people.took',
    floor: { atMost: 60_000 },
  },
  {
    goal: 'the same: median of the last 1,000 / of the second 1,000',
    ours: 'scim.last.p50',
    limit: 'scim.first.p50',
    floor: { atMost: 1.3 },
  },
  { goal: 'the same: processor time of the api for each', ours: 'scim.people.cpu.api' },
  { goal: 'the same: processor time of PostgreSQL for each', ours: 'scim.people.cpu.postgres' },
  { goal: 'the same: processor time of the worker for each', ours: 'scim.people.cpu.worker' },
  { goal: 'SCIM: a group of 10,000 people created', ours: 'scim.group.took' },
  { goal: 'SCIM: one person added to or removed from that group, median', ours: 'scim.member.p50' },
];
