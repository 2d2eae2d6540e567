import type { FactOf, Static, Subject } from '@annals/kernel/domain';
import { EMOJI_TYPES, defineEvent, messageId, t, userId } from '@annals/kernel/domain';

const facts = t.Object({
  messageId,
  userId,
  reactionType: t.Union(EMOJI_TYPES.map((type) => t.Literal(type))),
  /** Dash-separated hex code points, the id of a custom emoji, or a name. */
  emojiCode: t.String(),
});
type Facts = Static<typeof facts>;

/** Names of custom emoji are texts of users. */
const words = t.Object({ emojiName: t.String() });

const subjects = (data: Facts): Subject[] => [
  ['message', data.messageId],
  ['user', data.userId],
];

/** Stream `reaction-{message}:{user}`: a user added an emoji to a message. */
export const ReactionAdded = defineEvent('messages.ReactionAdded', { data: facts, sealed: words, subjects });
export type ReactionAdded = FactOf<typeof ReactionAdded>;

/** In the same stream: the user removed it. */
export const ReactionRemoved = defineEvent('messages.ReactionRemoved', { data: facts, sealed: words, subjects });
export type ReactionRemoved = FactOf<typeof ReactionRemoved>;

export type ReactionEvent = ReactionAdded | ReactionRemoved;
