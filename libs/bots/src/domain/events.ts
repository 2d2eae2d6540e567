import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, messageId, t, userId, words } from '@annals/kernel/domain';

const query = { botId: userId, messageId };

/** Stream `bot-query-{message}:{bot}`: a bot that the server runs has answered a message, in this append. */
export const QueryAnswered = defineEvent('bots.QueryAnswered', {
  data: t.Object({
    ...query,
    /** The message with the answer. */
    answerId: messageId,
  }),
  subjects: ({ botId, messageId: question, answerId }) => [
    ['user', botId],
    ['message', question],
    ['message', answerId],
  ],
  references: ['answerId'],
});
export type QueryAnswered = FactOf<typeof QueryAnswered>;

/** The same stream: the bot will not answer. `refused`: it may not send there. `internal`: the server failed. */
export const QueryFailed = defineEvent('bots.QueryFailed', {
  data: t.Object({ ...query, failure: words('refused', 'internal') }),
  subjects: ({ botId, messageId: question }) => [
    ['user', botId],
    ['message', question],
  ],
});
export type QueryFailed = FactOf<typeof QueryFailed>;

/** The same stream: the program behind the bot has the message, and answers nothing. */
export const WebhookAccepted = defineEvent('bots.WebhookAccepted', {
  data: t.Object(query),
  subjects: ({ botId, messageId: question }) => [
    ['user', botId],
    ['message', question],
  ],
});
export type WebhookAccepted = FactOf<typeof WebhookAccepted>;

/**
 * The same stream: the program behind the bot did not answer the message, and it is not sent again.
 *
 * - `address`, `url`: the server may not send to its URL, or the bot has none.
 * - `direct`: its format knows no direct messages.
 * - `slow`, `unreachable`, `status`: it gave no answer in time, none at all, or one that is no success.
 * - `answer`, `refused`: its answer has no message, or one that the bot may not send.
 * - `internal`: the server failed.
 */
export const WebhookFailed = defineEvent('bots.WebhookFailed', {
  data: t.Object({
    ...query,
    failure: words('address', 'answer', 'direct', 'internal', 'refused', 'slow', 'status', 'unreachable', 'url'),
    /** The status of HTTP, for `status`. */
    status: t.Optional(t.Integer()),
  }),
  subjects: ({ botId, messageId: question }) => [
    ['user', botId],
    ['message', question],
  ],
});
export type WebhookFailed = FactOf<typeof WebhookFailed>;

/** Stream `welcome-bot-realm`: this system bot writes to newcomers. */
export const WelcomeBotChosen = defineEvent('bots.WelcomeBotChosen', {
  data: t.Object({ botId: userId }),
  subjects: ({ botId }) => [['user', botId]],
});
export type WelcomeBotChosen = FactOf<typeof WelcomeBotChosen>;

/** Stream `welcome-{user}`: the welcome bot has written to a newcomer, in this append. */
export const UserWelcomed = defineEvent('bots.UserWelcomed', {
  data: t.Object({ userId }),
  subjects: ({ userId: user }) => [['user', user]],
});
export type UserWelcomed = FactOf<typeof UserWelcomed>;
