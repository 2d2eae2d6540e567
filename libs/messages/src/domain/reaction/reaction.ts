import type { EmojiType, MessageId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { ReactionEvent } from './reaction-events';
import { ReactionAdded, ReactionRemoved } from './reaction-events';
import { reject } from '../rejections';

/** An emoji as a reaction names it. */
export interface Emoji {
  readonly type: EmojiType;
  readonly code: string;
  readonly name: string;
}

/** The user who reacts, and the message. */
export interface Reacting {
  readonly messageId: MessageId;
  readonly userId: UserId;
}

export const reactionKey = ({ messageId, userId }: Reacting): string => `${messageId}:${userId}`;

/** The reactions of one user to one message, so that two users never conflict. */
export const reactionsAggregate = defineAggregate<readonly Emoji[], ReactionEvent, string>(
  'reaction',
  [],
  (own, { type, data, sealed }) => {
    const emoji = { type: data.reactionType, code: data.emojiCode, name: nameOf(sealed, data.emojiCode) };
    const others = own.filter((one) => !isSame(one, emoji));
    return type === 'messages.ReactionAdded' ? [...others, emoji] : others;
  },
);

/** The name of an emoji; its code where the name was erased. */
export const nameOf = (sealed: ReactionEvent['sealed'] | 'erased', code: string): string =>
  sealed === 'erased' ? code : sealed.emojiName;

type Identity = Pick<Emoji, 'type' | 'code'>;

/** An emoji is identified by type and code; it may have several names. */
export const isSame = (one: Identity, other: Identity): boolean => one.type === other.type && one.code === other.code;

/** @throws Rejected REACTION_ALREADY_EXISTS (contract/messages.md section 7) */
export function addReaction(own: readonly Emoji[], emoji: Emoji, by: Reacting): ReactionAdded[] {
  if (own.some((one) => isSame(one, emoji))) throw reject.reactionExists();
  return [fact(ReactionAdded, factsOf(emoji, by), { emojiName: emoji.name })];
}

/** @throws Rejected REACTION_DOES_NOT_EXIST */
export function removeReaction(own: readonly Emoji[], emoji: Identity, by: Reacting): ReactionRemoved[] {
  const found = own.find((one) => isSame(one, emoji));
  if (!found) throw reject.noSuchReaction();
  return [fact(ReactionRemoved, factsOf(found, by), { emojiName: found.name })];
}

const factsOf = ({ type, code }: Emoji, by: Reacting) => ({ ...by, reactionType: type, emojiCode: code });
