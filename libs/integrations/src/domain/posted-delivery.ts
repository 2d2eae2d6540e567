import type { MessageId, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { DeliveryPosted } from './events';

/** Whether a message of a delivery was posted. A delivery that its sender repeats is posted once. */
export const postedDelivery = defineAggregate<boolean, DeliveryPosted, string>('webhook-delivery', false, () => true);

/** Refers to the event right before it in the same append. Readers get its id. */
const EVENT_BEFORE = '-1' as unknown as MessageId;

/** Records that the message right before it in the append is the one of a delivery. */
export const posted = (botId: UserId, integration: string): DeliveryPosted[] => [
  fact(DeliveryPosted, { botId, integration, messageId: EVENT_BEFORE }),
];
