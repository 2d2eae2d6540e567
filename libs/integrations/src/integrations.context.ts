import { defineContext } from '@annals/kernel';
import { deliveryDescriptions } from './audit/delivery.audit';
import { DeliveryPosted } from './domain/events';
import { integrationsRegisterBlock } from './read/register';

export const integrationsContext = defineContext({
  name: 'integrations',
  events: [DeliveryPosted],
  descriptions: deliveryDescriptions,
  unhandled: { 'integrations.DeliveryPosted': 'it only prevents a second message' },
  registerBlocks: [integrationsRegisterBlock],
});
