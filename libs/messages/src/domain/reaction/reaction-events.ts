import type { FactOf, Static, Subject } from '@annals/kernel/domain';
import { defineEvent, messageId, t, userId } from '@annals/kernel/domain';

/** Namespaces of emoji codes (INTERFACE.md 4.14). */
export const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;

const facts = t.Object({
  messageId,
  userId,
  reactionType: t.Union(REACTION_TYPES.map((type) => t.Literal(type))),
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
export type ReactionType = (typeof REACTION_TYPES)[number];
