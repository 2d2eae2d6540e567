import type { Goal } from './goal';

/** Goals of the event feed. */
export const feedGoals: readonly Goal[] = [
  { goal: 'messages stored for the row below', ours: 'consumers.stored' },
  {
    goal: 'one worker pulls and acknowledges batches of 1,000 over HTTP',
    ours: 'consumers.pull',
    floor: { atLeast: 10_000 },
  },
  { goal: 'the same: time for a batch', ours: 'consumers.batch' },
  {
    goal: 'POST /messages on 64 connections, with 99 consumers whose programs are away / without',
    ours: 'consumers.with.rate',
    limit: 'consumers.without.rate',
    floor: { atLeast: 0.97 },
  },
  {
    goal: 'events that a webhook acknowledges in batches of 100',
    ours: 'webhooks.rate',
    floor: { atLeast: 2_000 },
  },
  {
    goal: 'from the request that sends a message to its arrival at a webhook, commit included, p50',
    ours: 'webhooks.arrival.p50',
    floor: { atMost: 30 },
  },
  { goal: 'the same, p99', ours: 'webhooks.arrival.p99' },
];
