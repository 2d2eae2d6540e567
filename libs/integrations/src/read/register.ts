import type { RegisterBlock } from '@annals/kernel';
import type { Integration } from '../domain/integration';
import { INTEGRATIONS } from '../domain/integrations';

const INPUT_TYPES = { text: 'text', flag: 'checkbox' } as const;

const present = ({ name, displayName, eventTypes, options }: Integration) => ({
  name,
  display_name: displayName,
  all_event_types: eventTypes,
  config_options: [],
  url_options: options.map(({ name: key, label, kind }) => ({ key, label, input_type: INPUT_TYPES[kind] })),
});

/** The integrations that clients offer when they make a URL (contract/boot.md section 4.1). */
export const integrationsRegisterBlock: RegisterBlock = {
  keys: ['realm_incoming_webhook_bots'],
  read: () => Promise.resolve({ realm_incoming_webhook_bots: INTEGRATIONS.map(present) }),
};
