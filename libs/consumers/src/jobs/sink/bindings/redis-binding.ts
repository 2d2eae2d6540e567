import type { ConsumerEvent } from '../../../read/reading/cloud-event';

/**
 * An entry of a Redis stream: names and values by turns. There is no binding of CloudEvents for it, so an entry has the whole
 * CloudEvent as JSON in one field, and beside it what readers select and compare by.
 */
export const redisFields = ({ id, key, cloudEvent, json }: ConsumerEvent): string[] => [
  ...['id', id],
  ...['type', cloudEvent.type],
  ...['partitionkey', key],
  ...['event', json],
];
