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
 * Acts on a topic, each with the most events that it may append: the move itself, changes of the oldest message of two
 * channels, a topic that begins, the policies of people for the topic, a notice.
 */
const TOPIC_ACTS: readonly (readonly [name: string, act: string, events: number])[] = [
  ['rename', 'that topic is renamed', 1],
  ['channel', 'that topic, with the oldest message of both channels, is moved to another channel', 3],
  ['most', 'all of its messages but ten are moved to a new topic', 3],
  ['half', 'half of its messages are moved to a new topic', 3],
  ['resolve', 'the other half is resolved, with a notice', 4],
];

const moves = TOPIC_ACTS.flatMap(([name, act, events]): Goal[] => [
  { goal: `${act}: answered after`, ours: `messages.${name}.answer`, floor: { atMost: 1_000 } },
  { goal: `${act}: received after`, ours: `messages.${name}.heard` },
  { goal: `${act}: events in the log`, ours: `messages.${name}.events`, floor: { atMost: events } },
  {
    goal: `${act}: longest time somebody else waited / when nothing was done`,
    ours: `messages.${name}.longest`,
    limit: 'messages.quiet.longest',
  },
]);

const SEARCHES: readonly (readonly [name: string, what: string, atMost: number])[] = [
  ['common', 'a word that most messages have', 50],
  ['phrase', 'two words that follow each other in most messages', 50],
  ['seldom', 'a word that one message in a hundred has', 50],
  ['rare', 'a word that one message has', 50],
  ['absent', 'a word that no message has', 50],
];

const searches = SEARCHES.map(([name, what, atMost]): Goal => ({
  goal: `GET /messages, the newest hundred with ${what}: median`,
  ours: `search.${name}.p50`,
  floor: { atMost },
}));

/** Pages of 100 messages, on 16 connections and alone. */
const pages: readonly Goal[] = [
  { goal: 'messages stored for the pages below', ours: 'reading.stored' },
  {
    goal: 'GET /messages, 100 of a topic, 16 connections, one api process',
    ours: 'reading.topic.rate',
    floor: { atLeast: 1_000 },
  },
  {
    goal: 'GET /messages/{id}, one message, 16 connections, one api process',
    ours: 'reading.one.rate',
    floor: { atLeast: 4_000 },
  },
  {
    goal: 'bare handler that sends as many bytes / one message, processor time of a request',
    ours: 'reading.bareOne.cpu',
    limit: 'reading.one.cpu',
    floor: { atLeast: 0.3 },
  },
  {
    goal: 'bare handler that sends as many bytes / a page of a topic, processor time of a request',
    ours: 'reading.bare.cpu',
    limit: 'reading.topic.cpu',
    floor: { atLeast: 0.3 },
  },
  ...(['topic', 'conversation', 'channel', 'combined'] as const).map((name): Goal => {
    const anchor = name === 'topic' || name === 'conversation' ? 'newest' : 'old';
    return {
      goal: `GET /messages, 100 messages, ${name}, ${anchor} anchor: median`,
      ours: `reading.${name}.alone.p50`,
      floor: { atMost: 15 },
    };
  }),
  ...(['topic', 'combined'] as const).map((name): Goal => {
    const ours = `reading.${name === 'topic' ? 'pastTopic' : 'pastCombined'}.alone.p50`;
    return {
      goal: `GET /messages as of an earlier moment, 100 messages, ${name}: median`,
      ours,
      floor: { atMost: 200 },
    };
  }),
  ...(['readers', 'senders'] as const).map((who): Goal => ({
    goal: `64 ${who} beside 64 ${who === 'readers' ? 'senders' : 'readers'}, one api process / alone`,
    ours: `reading.${who}.beside.rate`,
    limit: `reading.${who}.alone.rate`,
    floor: { atLeast: 0.7 },
  })),
];

/** Pages of 100 events of the audit trail. */
const trails: readonly Goal[] = [
  { goal: 'messages stored for the trails below', ours: 'trail.stored' },
  { goal: 'what the trail adds to the index: bytes of a message', ours: 'trail.bytes', floor: { atMost: 6 } },
  { goal: 'GET /audit/events of a topic: median', ours: 'trail.topic.p50', floor: { atMost: 50 } },
  { goal: 'GET /audit/events of a message: median', ours: 'trail.message.p50', floor: { atMost: 50 } },
  { goal: 'GET /audit/events by actor and type: median', ours: 'trail.actor.p50', floor: { atMost: 100 } },
  { goal: 'GET /audit/events that finds nothing: median', ours: 'trail.none.p50', floor: { atMost: 100 } },
  { goal: 'GET /audit/events of a request: median', ours: 'trail.request.p50', floor: { atMost: 100 } },
];

/** `POST /register` with all blocks, in an organization of 20 accounts and 10 channels. */
const registrations: readonly Goal[] = [
  { goal: 'messages stored for the registrations below', ours: 'registering.stored' },
  {
    goal: 'POST /register, 1,200 unread messages, 16 connections, one api process',
    ours: 'registering.few.rate',
    floor: { atLeast: 400 },
  },
  {
    goal: 'bare handler that sends as many bytes / the same, processor time of a request',
    ours: 'registering.bare.cpu',
    limit: 'registering.few.cpu',
    floor: { atLeast: 0.3 },
  },
  { goal: 'the same while ten messages a second arrive', ours: 'registering.meanwhile.rate' },
  {
    goal: 'POST /register with 50,000 unread messages, after a message was sent: median',
    ours: 'registering.many.p50',
    floor: { atMost: 100 },
  },
  { goal: 'the same: longest', ours: 'registering.many.longest' },
];

/** Goals of messages, with many stored. */
export const messageGoals: readonly Goal[] = [
  { goal: 'messages stored for what follows', ours: 'messages.stored' },
  ...pasts,
  {
    goal: 'GET /messages, the newest hundred of a channel: median',
    ours: 'messages.newest.p50',
    floor: { atMost: 100 },
  },
  { goal: 'GET /users/me/{channel}/topics, 200 of them: median', ours: 'messages.topics.p50', floor: { atMost: 50 } },
  { goal: 'POST /register with everything unread: median', ours: 'messages.unread.p50', floor: { atMost: 100 } },
  { goal: 'messages stored for searches', ours: 'search.stored' },
  ...searches,
  {
    goal: 'a new message is found after: longest of 20',
    ours: 'search.fresh.longest',
    floor: { atMost: 1_000 },
  },
  ...pages,
  ...trails,
  ...registrations,
  { goal: 'messages stored for the marks below', ours: 'flags.stored' },
  {
    goal: 'POST /messages/flags, 10,000 messages marked as read: median of 5',
    ours: 'flags.read',
    floor: { atMost: 50 },
  },
  { goal: 'the same as unread', ours: 'flags.unread' },
  {
    goal: '10,000 messages read by screens of 20: bytes in the log for each message',
    ours: 'flags.bytes',
    floor: { atMost: 30 },
  },
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
