import type { CloudEvent, ConsumerEvent } from '../../../read/reading/cloud-event';
import { attributesOf } from './attributes';

/** A message for NATS. */
export interface NatsMessage {
  readonly subject: string;
  /** What JetStream recognizes a repeated message by. */
  readonly messageId: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly payload: string;
}

/** CloudEvents in NATS, binary mode (NATS Protocol Binding for CloudEvents 1.0.3, section 3.1). */
export const natsMessage = ({ id, cloudEvent }: ConsumerEvent, subjectPrefix: string): NatsMessage => ({
  subject: subjectPrefix + cloudEvent.type,
  messageId: id,
  headers: headersOf(cloudEvent),
  payload: JSON.stringify(cloudEvent.data),
});

const headersOf = (event: CloudEvent) =>
  attributesOf(event).map(([name, value]): [string, string] => [`ce-${name}`, encoded(value)]);

/** Headers have printable ASCII without spaces, quotes and percent signs; everything else is percent-encoded as UTF-8. */
const encoded = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[^\x21\x23\x24\x26-\x7e]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    );
