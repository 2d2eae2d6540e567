import type { Aggregate, ConversationId, UserId } from '@annals/kernel/domain';
import { ascending, defineAggregate, fact } from '@annals/kernel/domain';
import type { ConversationEvent } from './events';
import { ConversationOpened } from './events';

/** A conversation as decisions need it; null before its first message. */
export interface Conversation {
  readonly id: ConversationId;
}

/** The key is `conversationKey` of its users, so that two users who open it at once write to one stream. */
export const conversationAggregate: Aggregate<Conversation | null, ConversationEvent, string> = defineAggregate<
  Conversation | null,
  ConversationEvent,
  string
>('conversation', null, (_state, { data }) => ({ id: data.conversationId }));

/** Maximum length of a list of ids as a key; longer ones are replaced by their digest. */
const MAX_KEY_LENGTH = 200;

/**
 * The key of a set of users.
 *
 * @param people distinct, ascending
 * @param digest a short text for a long one, without collisions
 */
export function conversationKey(people: readonly UserId[], digest: (text: string) => string): string {
  const ids = people.join(',');
  return ids.length <= MAX_KEY_LENGTH ? ids : digest(ids);
}

/** The users of a conversation, the sender included: distinct, ascending. */
export const participants = (sender: UserId, recipients: readonly UserId[]): UserId[] =>
  ascending(new Set([sender, ...recipients]));

/** Opens the conversation unless it is open. */
export const openConversation = (
  state: Conversation | null,
  conversationId: ConversationId,
  userIds: readonly UserId[],
): ConversationOpened[] => (state ? [] : [fact(ConversationOpened, { conversationId, userIds: [...userIds] })]);
