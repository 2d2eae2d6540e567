import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, messageId, t, userId, words } from '@annals/kernel/domain';

/**
 * Stream `incoming-mail-{digest}`: a mail became the message before this event, in this append. The digest is of the address
 * and of the `Message-ID`, so a mail that is delivered again posts nothing.
 */
export const MailPosted = defineEvent('incoming-mail.MailPosted', {
  data: t.Object({
    messageId,
    /** Who sent the message: a user, one of their bots, or the bot of the gateway. */
    userId,
    /** To the address of a channel, or in answer to a mail about messages. */
    to: words('channel', 'conversation'),
  }),
  subjects: ({ messageId: message, userId: sender }) => [
    ['message', message],
    ['user', sender],
  ],
  references: ['messageId'],
});
export type MailPosted = FactOf<typeof MailPosted>;

/** Stream `mail-gateway-realm`: this system bot posts mails to channels. */
export const GatewayBotChosen = defineEvent('incoming-mail.GatewayBotChosen', {
  data: t.Object({ botId: userId }),
  subjects: ({ botId }) => [['user', botId]],
});
export type GatewayBotChosen = FactOf<typeof GatewayBotChosen>;
