import { defineContext } from '@annals/kernel';
import { mailDescriptions } from './audit/mail.audit';
import { GatewayBotChosen, MailPosted } from './domain/events';

export const incomingMailContext = defineContext({
  name: 'incoming-mail',
  events: [MailPosted, GatewayBotChosen],
  descriptions: mailDescriptions,
  unhandled: {
    'incoming-mail.MailPosted': 'it only prevents a second message',
    'incoming-mail.GatewayBotChosen': 'the account of the bot has an event of its own',
  },
});
