import type { LookupFunction } from 'node:net';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { Producer, ProducerOptions } from '@platformatic/kafka';
import { certificatesOf } from '../../../application/sink/sink-credentials';
import { addressOf, sinkServer } from '../../../domain/sink/sink-target';
import type { ConsumerEvent } from '../../../read/reading/cloud-event';
import { kafkaRecord } from '../bindings/kafka-binding';
import { partsOfSize } from '../splitting';
import type { ConnectSink, SinkAccess, SinkConnection } from './engine';
import { BatchTime, SinkFault, faultOf } from './engine';

const CONNECT_MS = 2_000;
const REQUEST_MS = 5_000;
/** With less, the client library would try for ever. */
const RETRIES = 2;
const RETRY_MS = 500;
/** Bytes of values in one request. Brokers refuse more than about a million in a batch. */
const MOST_CHARACTERS = 300_000;

type TextProducer = Producer<string, string, string, string>;

/** Kafka. The topic must exist. */
export const connectKafka: ConnectSink = async (access) => {
  // The client library is large, so it is loaded only when there is a sink of this kind.
  const { Producer, stringSerializers } = await import('@platformatic/kafka');
  const options = await optionsFor(access);
  const producer: TextProducer = new Producer({ ...options, serializers: stringSerializers });
  const sink = new KafkaSink(producer, access);
  try {
    await sink.checkBrokers();
    await producer.initIdempotentProducer({});
    return sink;
  } catch (error) {
    await sink.close();
    throw faultOf(error, `Kafka cannot be asked for the topic ${access.target.stream}`);
  }
};

/** The brokers of the target by their checked addresses. */
async function optionsFor(access: SinkAccess): Promise<ProducerOptions<string, string, string, string>> {
  const { mechanism, username, password, tls } = access.credential ?? {};
  const bootstrapBrokers: { host: string; port: number }[] = [];
  for (const written of access.target.servers) {
    const server = sinkServer('kafka', written);
    if (!server) continue;
    const [address = server.host] = await access.addressesOf(server.host, tls ?? false);
    // An encrypted connection needs the name, which the certificate is for; it is resolved and checked when it is made.
    bootstrapBrokers.push({ host: tls ? server.host : address, port: server.port });
  }
  return {
    clientId: 'annals',
    bootstrapBrokers,
    idempotent: true,
    acks: -1,
    autocreateTopics: false,
    retries: RETRIES,
    retryDelay: RETRY_MS,
    connectTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    ...(tls ? { tls: tlsOf(access), tlsServerName: true } : {}),
    ...(mechanism === undefined ? {} : { sasl: { mechanism, username: username ?? '', password: password ?? '' } }),
  };
}

function tlsOf({ credential, addressesOf }: SinkAccess): TlsOptions & { lookup: LookupFunction } {
  return { ...certificatesOf(credential), lookup: checkedLookup(addressesOf) };
}

/** Stands for the system's resolver, and knows only addresses that were checked. */
const checkedLookup =
  (addressesOf: SinkAccess['addressesOf']): LookupFunction =>
  (host, { all }, callback) => {
    addressesOf(host, true).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        const [first] = found;
        if (all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };

class KafkaSink implements SinkConnection {
  constructor(
    private readonly producer: TextProducer,
    private readonly access: SinkAccess,
  ) {}

  get isOpen(): boolean {
    return !this.producer.closed;
  }

  async store(events: readonly ConsumerEvent[]): Promise<void> {
    const time = new BatchTime();
    try {
      await this.checkBrokers();
      for (const part of partsOfSize(events, MOST_CHARACTERS, ({ json }) => json.length)) {
        time.ensureLeft();
        await this.producer.send({ messages: part.map((event) => kafkaRecord(event, this.access.target.stream)) });
      }
    } catch (error) {
      throw faultOf(error, 'Kafka did not store events');
    }
  }

  async close(): Promise<void> {
    await this.producer.close();
  }

  /** Brokers name the addresses of all brokers, to which the client library connects. @throws SinkFault for a forbidden one */
  async checkBrokers(): Promise<void> {
    const { brokers } = await this.producer.metadata({ topics: [this.access.target.stream], autocreateTopics: false });
    const servers = [...brokers.values()].map(({ host, port }) => sinkServer('kafka', addressOf({ host, port })));
    for (const server of servers) {
      if (!server) throw new SinkFault('A broker of Kafka has no address');
      await this.access.addressesOf(server.host, this.access.credential?.tls ?? false);
    }
  }
}
