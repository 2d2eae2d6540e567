import type { MessageId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import type {
  QueryAnswered as Answered,
  QueryFailed as Failed,
  WebhookAccepted as Accepted,
  WebhookFailed as Undelivered,
} from './events';
import { QueryAnswered, QueryFailed, WebhookAccepted, WebhookFailed } from './events';
import type { WebhookFault } from './webhook/webhook-fault';

/** A message that a bot must answer. */
export interface AskedBot {
  readonly botId: UserId;
  readonly messageId: MessageId;
}

/** What became of a message for a bot. */
export interface QueryOutcome {
  /** The answer; null where there is none. */
  readonly answerId: MessageId | null;
}

/** Null while the bot is not done with the message. */
export const queryAggregate = defineAggregate<QueryOutcome | null, Answered | Failed | Accepted | Undelivered, string>(
  'bot-query',
  null,
  (_, { type, data }) => ({ answerId: type === 'bots.QueryAnswered' ? data.answerId : null }),
);

export const queryKey = ({ botId, messageId }: AskedBot): string => `${messageId}:${botId}`;

/** Refers to the event right before it in the same append. Readers get its id. */
const EVENT_BEFORE = '-1' as unknown as MessageId;

/** Records the answer: by default the message right before it in the append. */
export const answered = ({ botId, messageId }: AskedBot, answerId = EVENT_BEFORE): Answered[] => [
  fact(QueryAnswered, { botId, messageId, answerId }),
];

/** Records that the bot gives no answer; nothing if it is done with the message. */
export const unanswered = (
  outcome: QueryOutcome | null,
  { botId, messageId }: AskedBot,
  failure: Failed['data']['failure'],
): Failed[] => (outcome ? [] : [fact(QueryFailed, { botId, messageId, failure })]);

/** Records that the program behind the bot has the message and answers nothing; nothing if the bot is done with it. */
export const accepted = (outcome: QueryOutcome | null, { botId, messageId }: AskedBot): Accepted[] =>
  outcome ? [] : [fact(WebhookAccepted, { botId, messageId })];

/** Records why the program behind the bot did not answer; nothing if the bot is done with the message. */
export const undelivered = (
  outcome: QueryOutcome | null,
  { botId, messageId }: AskedBot,
  fault: WebhookFault,
): Undelivered[] => {
  if (outcome) return [];
  const status = fault.failure === 'status' ? { status: fault.status } : {};
  return [fact(WebhookFailed, { botId, messageId, failure: fault.failure, ...status })];
};
