import { randomUUID } from 'node:crypto';
import type { Message } from 'cloudevents';
import { Kafka } from 'cloudevents';
import { Consumer, stringDeserializers } from '@platformatic/kafka';
import { exampleEvent } from '../../../../../../test/support/consumers/example-events';
import type { SinkTarget } from '../../../domain/sink/sink-target';
import type { SinkAccess } from './engine';
import { SinkFault } from './engine';
import { connectKafka } from './kafka-engine';

/** `host:port` of a broker with an empty topic `annals` of several partitions. */
const broker = process.env['ANNALS_TEST_KAFKA'] ?? '';
const TITLE = 'a sink of Kafka';

const accessTo = (server: string, stream = 'annals', asked: Partial<SinkAccess> = {}): SinkAccess => {
  const target: SinkTarget = { kind: 'kafka', servers: [server], stream, subjectPrefix: '', credentials: null };
  return { target, credential: null, addressesOf: (host) => Promise.resolve([host]), ...asked };
};
const events = (...positions: number[]) =>
  positions.map((position) => exampleEvent({ position, key: `topic/${position % 3}` }));

describe(TITLE, () => {
  it('says that no broker can be reached', async () => {
    await expect(connectKafka(accessTo('127.0.0.1:1'))).rejects.toBeInstanceOf(SinkFault);
  });
});

const describeWithKafka = broker === '' ? describe.skip : describe;
describeWithKafka(
  broker === '' ? `${TITLE} (skipped: ANNALS_TEST_KAFKA names no broker)` : `${TITLE} at a broker`,
  () => {
    /** Records of the topic in the order of each partition. */
    const stored = async (count: number) => {
      const consumer = new Consumer({
        ...{ groupId: randomUUID(), clientId: 'spec', bootstrapBrokers: [broker], deserializers: stringDeserializers },
      });
      const records = [];
      const stream = await consumer.consume({ topics: ['annals'], mode: 'earliest', autocommit: false });
      for await (const { key, value, headers, partition } of stream) {
        records.push({ key, value, partition, headers: Object.fromEntries(headers) });
        if (records.length >= count) break;
      }
      await consumer.close();
      return records;
    };

    it('stores events in the order of each key, with the headers of CloudEvents', async () => {
      const sink = await connectKafka(accessTo(broker));
      await sink.store(events(1, 2, 3, 4));
      await sink.store(events(5, 6, 7, 8, 9));
      await sink.close();
      const records = await stored(9);
      const read = records.map(({ key, value, headers }) =>
        Kafka.toEvent({ key, value, headers, body: value } as unknown as Message),
      );
      const of = (key: string) =>
        records.flatMap((one, n) => (one.key === key ? [(read[n] as { id: string }).id] : []));
      expect([of('topic/0'), of('topic/1'), of('topic/2')]).toEqual([
        ['1/3', '1/6', '1/9'],
        ['1/1', '1/4', '1/7'],
        ['1/2', '1/5', '1/8'],
      ]);
      expect(read.map((one) => JSON.stringify(one))).toContainEqual(
        expect.stringContaining('"type":"annals.messages.'),
      );
      expect(records[0]?.headers).toMatchObject({ 'content-type': 'application/json', ce_specversion: '1.0' });
    });

    it('says that there is no such topic', async () => {
      await expect(connectKafka(accessTo(broker, 'nowhere'))).rejects.toThrow(/Unknown topic nowhere/);
    });

    it('connects to no broker whose address is not allowed, also if another one names it', async () => {
      let asked = 0;
      const addressesOf = (host: string) =>
        (asked += 1) === 1 ? Promise.resolve([host]) : Promise.reject(new SinkFault('not allowed'));
      await expect(connectKafka(accessTo(broker, 'annals', { addressesOf }))).rejects.toThrow('not allowed');
    });
  },
);
