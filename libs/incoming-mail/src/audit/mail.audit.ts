import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import { GatewayBotChosen, MailPosted } from '../domain/events';

const PLACES = { channel: 'a channel', conversation: 'a conversation' } as const;

const posted = describeEvent(MailPosted, {
  meaning: 'A mail became a message. The same mail is not posted again.',
  commands: ['MailReceiver'],
  sentence: ({ data: { messageId, to } }) => [`posted a mail to ${PLACES[to]} as `, thing.message(messageId)],
});

const chosen = describeEvent(GatewayBotChosen, {
  meaning: 'The system bot was created that posts mails to channels.',
  commands: ['MailReceiver'],
  sentence: ({ data: { botId } }) => ['chose ', thing.user(botId), ' to post mails to channels'],
});

export const mailDescriptions: readonly EventDescription[] = [posted, chosen];
