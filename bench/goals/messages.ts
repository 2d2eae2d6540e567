import type { Goal } from './goal';

const pasts = ['send', 'edit', 'react'].map((act): Goal => {
  const request = { send: 'POST /messages', edit: 'PATCH /messages/{id}', react: 'POST /messages/{id}/reactions' }[act];
  return {
    goal: `${request}, messages stored as said above / none`,
    ours: `messages.${act}.full.rate`,
    limit: `messages.${act}.empty.rate`,
    floor: { atLeast: 0.9 },
  };
});

/**
 * What is done to a topic, and the most events that may leave in the log: the move itself, what it changes of the oldest
 * message of two channels, a topic that begins, what people chose for it, a notice.
 */
const TOPIC_ACTS: readonly (readonly [name: string, act: string, events: number])[] = [
  ['rename', 'that topic is renamed', 1],
  ['channel', 'it goes to another channel, the oldest message of both with it', 3],
  ['most', 'all of it but ten messages goes to a new topic', 3],
  ['half', 'half of it goes to a new topic', 3],
  ['resolve', 'the other half is resolved, with a notice', 4],
];

const moves = TOPIC_ACTS.flatMap(([name, act, events]): Goal[] => [
  { goal: `${act}: answered after`, ours: `messages.${name}.answer`, floor: { atMost: 1_000 } },
  { goal: `${act}: heard of after`, ours: `messages.${name}.heard` },
  { goal: `${act}: events in the log`, ours: `messages.${name}.events`, floor: { atMost: events } },
  {
    goal: `${act}: longest time somebody else waited / when nothing was done`,
    ours: `messages.${name}.longest`,
    limit: 'messages.quiet.longest',
  },
]);

/** What is asked of messages, with many stored. */
export const messageGoals: readonly Goal[] = [
  { goal: 'messages stored for what follows', ours: 'messages.stored' },
  ...pasts,
  {
    goal: 'GET /messages, the newest hundred of a channel: median',
    ours: 'messages.newest.p50',
    floor: { atMost: 100 },
  },
  { goal: 'GET /users/me/{channel}/topics, 200 of them: median', ours: 'messages.topics.p50', floor: { atMost: 50 } },
  { goal: 'POST /register with everything unread: median', ours: 'messages.unread.p50', floor: { atMost: 1_000 } },
  { goal: 'messages of the topic that is moved', ours: 'messages.topic' },
  ...moves,
  { goal: 'messages of the topic that is deleted', ours: 'messages.deleted' },
  { goal: 'POST /streams/{id}/delete_topic', ours: 'messages.delete.rate', floor: { atLeast: 200 } },
  {
    goal: 'a topic is deleted: longest time somebody else waited / when nothing was done',
    ours: 'messages.delete.longest',
    limit: 'messages.quiet.longest',
  },
];
