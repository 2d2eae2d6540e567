import type { IncomingDelivery, EventMessage, Integration } from './integration';
import { reject } from './rejections';
import type { EventFilter } from './shared/event-filter';
import { isWanted } from './shared/event-filter';

/** Maximum of messages of one delivery, so that one request does not fill a channel. */
const MAX_MESSAGES = 50;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu;

/** What to post for a delivery, or the type of an event that the integration does not know. */
export type Posts = { readonly messages: readonly EventMessage[] } | { readonly unsupported: string };

/**
 * The messages of a delivery that the URL wants. Topics have no control characters.
 *
 * @throws Rejected for a payload that its sender cannot have made, and for too many messages
 */
export function postsFor({ translate }: Integration, delivery: IncomingDelivery, filter: EventFilter): Posts {
  const translation = translate(delivery);
  if ('unsupported' in translation) return translation;
  const messages = translation.filter(({ event }) => isWanted(event, filter));
  if (messages.length > MAX_MESSAGES) throw reject.tooManyMessages({ limit: MAX_MESSAGES });
  return { messages: messages.map((message) => ({ ...message, topic: printable(message.topic) })) };
}

/** A topic of a payload with spaces for what no topic can have. */
const printable = (topic: string): string => topic.replace(UNPRINTABLE, ' ').trim();
