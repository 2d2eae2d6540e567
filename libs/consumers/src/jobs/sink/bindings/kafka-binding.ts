import type { ConsumerEvent } from '../../../read/reading/cloud-event';
import { attributesOf } from './attributes';

/** A record for Kafka. */
export interface KafkaRecord {
  readonly topic: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

/** CloudEvents in Kafka, binary mode (Kafka Protocol Binding for CloudEvents 1.0.2, section 3.2). */
export const kafkaRecord = ({ key, cloudEvent }: ConsumerEvent, topic: string): KafkaRecord => ({
  topic,
  key,
  headers: {
    'content-type': cloudEvent.datacontenttype,
    ...Object.fromEntries(
      attributesOf(cloudEvent)
        .filter(([name]) => name !== 'datacontenttype')
        .map(([name, value]) => [`ce_${name}`, value]),
    ),
  },
  value: JSON.stringify(cloudEvent.data),
});
