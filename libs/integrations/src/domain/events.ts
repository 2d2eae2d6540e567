import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, messageId, t, userId } from '@annals/kernel/domain';

/** Stream `webhook-delivery-{bot}:{digest}`: a delivery of another system was posted, in this append. */
export const DeliveryPosted = defineEvent('integrations.DeliveryPosted', {
  data: t.Object({
    botId: userId,
    /** Name of the integration. */
    integration: t.String(),
    messageId,
  }),
  subjects: ({ botId, messageId: message }) => [
    ['user', botId],
    ['message', message],
  ],
  references: ['messageId'],
});
export type DeliveryPosted = FactOf<typeof DeliveryPosted>;
