import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import { offsetOf } from '../../../libs/consumers/src/read/offsets';
import type { ConsumerEvent } from '../../../libs/consumers/src/read/reading/cloud-event';
import { attributesOf, consumerEvent } from '../../../libs/consumers/src/read/reading/cloud-event';

const SCHEMAS = 'https://chat.example.com/api/v1/feed/schemas';

/** What differs from an example. */
export interface ExampleEvent {
  readonly position?: number;
  readonly key?: string;
  readonly type?: string;
  readonly data?: unknown;
}

/** An event as consumers get it. */
export function exampleEvent({
  position = 412,
  key = 'topic/9',
  type = 'messages.MessageSent',
  data = { facts: { messageId: position }, words: { content: 'Grüße' } },
}: ExampleEvent = {}): ConsumerEvent {
  const at = Date.UTC(2026, 10, 23, 9, 18, 52, 113) as Instant;
  const attributes = attributesOf(
    { realmId: 1 as RealmId, position: position as Position, at },
    { id: `1/${position}`, type, version: 1, subject: `message/${position}`, key, schemas: SCHEMAS },
  );
  const extensions = { annalsactor: 7, annalscorrelation: 'c', annalscausation: `1/${position - 1}` };
  return consumerEvent(offsetOf(position), position as Position, { ...attributes, ...extensions, data });
}
