import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing } from '@annals/kernel';
import { DeliveryPosted } from '../domain/events';

const posted = describeEvent(DeliveryPosted, {
  meaning: 'A bot posted a delivery of another system, which is not posted again if the system repeats it.',
  commands: ['PostDelivery'],
  sentence: ({ data: { integration, messageId } }) => [
    `posted a delivery of ${integration} as `,
    thing.message(messageId),
  ],
});

export const deliveryDescriptions: readonly EventDescription[] = [posted];
