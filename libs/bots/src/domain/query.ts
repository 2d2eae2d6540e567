import type { MessageId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type { QueryFailed as Failed, QueryAnswered as Answered } from './events';
import { QueryAnswered, QueryFailed } from './events';

/** A message that a bot is to answer. */
export interface AskedBot {
  readonly botId: UserId;
  readonly messageId: MessageId;
}

/** Whether a bot is done with a message. */
export const queryAggregate = defineAggregate<boolean, Answered | Failed, string>('bot-query', false, () => true);

export const queryKey = ({ botId, messageId }: AskedBot): string => `${messageId}:${botId}`;

/** Refers to the event right before it in the same append. Readers get its id. */
const EVENT_BEFORE = '-1' as unknown as MessageId;

/** Records that the message right before it in the append is the answer. */
export const answered = ({ botId, messageId }: AskedBot): Answered[] => [
  fact(QueryAnswered, { botId, messageId, answerId: EVENT_BEFORE }),
];

/** Records that the bot gives no answer; nothing if it is done with the message. */
export const unanswered = (isDone: boolean, { botId, messageId }: AskedBot, failure: Failed['data']['failure']) =>
  isDone ? [] : [fact(QueryFailed, { botId, messageId, failure })];
