import type { MessageId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { GatewayBotChosen, MailPosted } from './events';

/** Whether a mail was posted. */
export const postedMail = defineAggregate<boolean, MailPosted, string>('incoming-mail', false, () => true);

/** Refers to the event right before it in the same append. Readers get its id. */
const EVENT_BEFORE = '-1' as unknown as MessageId;

/** Records that the message right before it in the append is the one of a mail. */
export const mailPosted = (sender: UserId, to: MailPosted['data']['to']): MailPosted[] => [
  fact(MailPosted, { messageId: EVENT_BEFORE, userId: sender, to }),
];

/** The system bot that posts mails. Null until the first one. */
export const gatewayBot = defineAggregate<UserId | null, GatewayBotChosen, string>(
  'mail-gateway',
  null,
  (_, { data: { botId } }) => botId,
);

/** The first choice stays. */
export const chooseGatewayBot = (present: UserId | null, botId: UserId): GatewayBotChosen[] =>
  present === null ? [fact(GatewayBotChosen, { botId })] : [];
