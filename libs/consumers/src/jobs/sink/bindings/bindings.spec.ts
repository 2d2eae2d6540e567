import type { Message } from 'cloudevents';
import { CloudEvent, HTTP, Kafka } from 'cloudevents';
import { exampleEvent } from '../../../../../../test/support/consumers/example-events';
import { kafkaRecord } from './kafka-binding';
import { natsMessage } from './nats-binding';
import { redisFields } from './redis-binding';

const event = exampleEvent({ key: 'topic/ü "9" 100%' });
/** What the SDK of CloudEvents reads from the structured form, whose numbers are texts in headers. */
const expected = { ...event.cloudEvent, annalsactor: '7' };
const plain = (read: unknown) => JSON.parse(JSON.stringify(read)) as unknown;

describe('a CloudEvent for Kafka', () => {
  const record = kafkaRecord(event, 'annals');

  it('is read by the SDK of CloudEvents as it was', () => {
    const message = { key: record.key, value: record.value, headers: record.headers, body: record.value };
    expect(Kafka.isEvent(message)).toBe(true);
    expect(plain(Kafka.toEvent(message))).toEqual(expected);
  });

  it('has the headers that the SDK gives it', () => {
    const { headers, key } = Kafka.binary(new CloudEvent({ ...event.cloudEvent }, false)) as unknown as Message & {
      key: string;
    };
    const { ce_datacontenttype: _, ...others } = headers;
    expect(record.headers).toEqual({ ...others, ce_annalsactor: '7' });
    expect(record.key).toBe(key);
  });
});

describe('a CloudEvent for NATS', () => {
  const message = natsMessage(event, 'chat.');

  it('has its type in the subject, and its id for deduplication', () => {
    expect(message).toMatchObject({ subject: 'chat.annals.messages.MessageSent.v1', messageId: '1/412' });
    expect(natsMessage(event, '').subject).toBe('annals.messages.MessageSent.v1');
  });

  // The headers of the binding for NATS are those of the one for HTTP, which the SDK has, but for the content type.
  it('is read by the SDK of CloudEvents as it was', () => {
    const { 'ce-datacontenttype': type, ...headers } = Object.fromEntries(message.headers);
    const decoded = Object.entries(headers).map(([name, value]) => [name, decodeURIComponent(value)]);
    const all = Object.fromEntries([['content-type', type ?? ''], ...decoded]) as Record<string, string>;
    expect(plain(HTTP.toEvent({ headers: all, body: message.payload }))).toEqual(expected);
  });

  it('has only printable ASCII in its headers, with percent-encoding in upper case', () => {
    const headers = Object.fromEntries(message.headers);
    expect(headers['ce-partitionkey']).toBe('topic/%C3%BC%20%229%22%20100%25');
    expect(message.headers.every(([, value]) => /^[\x21-\x7e]*$/.test(value))).toBe(true);
    // The example of the binding.
    const [[, euro] = ['', '']] = natsMessage(
      { ...event, cloudEvent: { ...event.cloudEvent, specversion: 'Euro € 😀' as '1.0' } },
      '',
    ).headers;
    expect(euro).toBe('Euro%20%E2%82%AC%20%F0%9F%98%80');
  });
});

describe('a CloudEvent for Redis', () => {
  it('is in one field as JSON, beside what readers compare by', () => {
    expect(redisFields(event)).toEqual([
      ...['id', '1/412', 'type', 'annals.messages.MessageSent.v1', 'partitionkey', event.key],
      ...['event', JSON.stringify(event.cloudEvent)],
    ]);
  });
});
