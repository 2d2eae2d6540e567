import type { Redis, RedisOptions } from 'ioredis';
import type { SinkCredential } from '../../../application/sink/sink-credentials';
import { certificatesOf } from '../../../application/sink/sink-credentials';
import type { SinkServer } from '../../../domain/sink/sink-target';
import { sinkServer } from '../../../domain/sink/sink-target';
import type { ConsumerEvent } from '../../../read/reading/cloud-event';
import { redisFields } from '../bindings/redis-binding';
import { partsOfSize } from '../splitting';
import type { ConnectSink, SinkConnection } from './engine';
import { BatchTime, SinkFault, faultOf } from './engine';

/** How long a connection may take to be made, and an answer to come. */
const PATIENCE_MS = 10_000;
/** Characters of JSON in one transaction, so that others of the same Redis do not wait for it. */
const MOST_CHARACTERS = 1_000_000;

/** Redis Streams. The stream is created with its first event. */
export const connectRedis: ConnectSink = async ({ target, credential, addressesOf }) => {
  const server = sinkServer('redis', target.servers[0] ?? '');
  const [address] = server ? await addressesOf(server.host, server.isEncrypted) : [];
  if (!server || address === undefined) throw new SinkFault('Redis cannot be reached');
  const { Redis } = await import('ioredis');
  const client = new Redis(optionsFor(server, address, credential));
  // Whatever waits for an answer is rejected, but only this event says why a connection could not be made.
  let reason: unknown;
  client.on('error', (error) => (reason = error));
  try {
    await client.connect();
    return new RedisSink(client, target.stream);
  } catch (error) {
    client.disconnect();
    throw faultOf(reason ?? error, 'Redis cannot be reached');
  }
};

function optionsFor(server: SinkServer, host: string, credential: SinkCredential | null) {
  const { username, password } = credential ?? {};
  // Certificates are for the name, and not for the address that is connected to.
  const tls = { servername: server.host, ...certificatesOf(credential) };
  return {
    host,
    port: server.port,
    db: server.database,
    connectionName: 'annals',
    lazyConnect: true,
    retryStrategy: null,
    enableOfflineQueue: false,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    disconnectTimeout: 50,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(server.isEncrypted ? { tls } : {}),
  } satisfies Partial<RedisOptions>;
}

class RedisSink implements SinkConnection {
  constructor(
    private readonly client: Redis,
    private readonly stream: string,
  ) {}

  get isOpen(): boolean {
    return this.client.status === 'ready';
  }

  /** Each part is one transaction: all of it is stored or nothing, so a failure leaves no gap. */
  async store(events: readonly ConsumerEvent[]): Promise<void> {
    const time = new BatchTime();
    for (const part of partsOfSize(events, MOST_CHARACTERS, ({ json }) => json.length)) {
      time.ensureLeft();
      const transaction = this.client.multi();
      for (const event of part) transaction.xadd(this.stream, '*', ...redisFields(event));
      let results: [error: Error | null, result: unknown][] | null;
      try {
        results = await transaction.exec();
      } catch (error) {
        throw faultOf(error, 'Redis did not store events');
      }
      const refused = results?.find(([error]) => error !== null)?.[0];
      if (!results || refused) throw faultOf(refused ?? 'the transaction was discarded', 'Redis did not store events');
    }
  }

  close(): Promise<void> {
    this.client.disconnect();
    return Promise.resolve();
  }
}
