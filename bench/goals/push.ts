import type { Goal } from './goal';

const phones = (
  [
    ['few', 'one of them with a phone'],
    ['many', '1,000 of them with phones'],
  ] as const
).flatMap(([name, who]): Goal[] => [
  {
    goal: `POST /messages to 20,000 subscribers, ${who} / to 2`,
    ours: `push.${name}.all.rate`,
    limit: `push.${name}.two.rate`,
    floor: { atLeast: 0.9 },
  },
  {
    goal: `the same, ${who}: processor time of the worker for each message`,
    ours: `push.${name}.all.work`,
    limit: `push.${name}.two.work`,
  },
]);

/** Goals of push notifications. */
export const pushGoals: readonly Goal[] = [
  ...phones,
  { goal: '1,000 phones are notified of a mention of 20,000 subscribers after', ours: 'push.told' },
];
