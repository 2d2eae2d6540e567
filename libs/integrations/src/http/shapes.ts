import { t, userId } from '@annals/kernel/domain';
import type { Integration } from '../domain/integration';

/** All of it is left out where messages were posted, or none had to be. */
export const deliveryShape = t.Object({
  msg: t.String({ description: 'Why nothing was posted; empty otherwise.' }),
  code: t.Optional(t.Literal('UNSUPPORTED_WEBHOOK_EVENT_TYPE')),
  webhook_name: t.Optional(t.String()),
  event_type: t.Optional(t.String({ description: 'The type of the event that the integration does not know.' })),
  ok: t.Optional(t.Literal(true, { description: 'Only of `slack_incoming`.' })),
  full_name: t.Optional(t.String({ description: 'Of the bot. Only if `zapier` asks for it.' })),
  email: t.Optional(t.String()),
  id: t.Optional(userId),
});

/** Longest type of an event that is repeated in the answer. */
const MAX_EVENT = 100;

/** A sender that is told of a failure would only repeat the delivery. */
export const presentUnsupported = ({ caller }: Integration, type: string) => {
  const event = type.slice(0, MAX_EVENT);
  return {
    msg: `The '${event}' event isn't currently supported by the ${caller} webhook; ignoring`,
    code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE' as const,
    webhook_name: caller,
    event_type: event,
  };
};
