import type { Aggregate, ConversationId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { ConversationEvent } from './events';
import { ConversationOpened } from './events';

/** A conversation as rules need it; null before its first message. */
export interface Conversation {
  readonly id: ConversationId;
}

/** Its key is `conversationKey` of the people in it, so that two who open one at once meet in one stream. */
export const conversationAggregate: Aggregate<Conversation | null, ConversationEvent, string> = defineAggregate<
  Conversation | null,
  ConversationEvent,
  string
>('conversation', null, (_state, { data }) => ({ id: data.conversationId }));

/** Longest list of ids that a stream is named by; longer ones are named by their digest. */
const MAX_KEY_LENGTH = 200;

/**
 * Names a set of people.
 *
 * @param people distinct, ascending
 * @param digest a short text that stands for a long one, different for every other
 */
export function conversationKey(people: readonly UserId[], digest: (text: string) => string): string {
  const ids = people.join(',');
  return ids.length <= MAX_KEY_LENGTH ? ids : digest(ids);
}

/** Everybody in a conversation: distinct, ascending, with the sender among them. */
export const participants = (sender: UserId, recipients: readonly UserId[]): UserId[] =>
  [...new Set([sender, ...recipients])].sort((a, b) => a - b);

/** Opens the conversation unless it is open. */
export const openConversation = (
  state: Conversation | null,
  conversationId: ConversationId,
  userIds: readonly UserId[],
): ConversationOpened[] => (state ? [] : [fact(ConversationOpened, { conversationId, userIds: [...userIds] })]);
