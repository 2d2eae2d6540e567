import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { TransportEvents, WakeUpTransport } from './wake-ups';
import { connectRedis } from '../queues/redis-connection';

export interface RedisTransportOptions {
  readonly url: string;
  /** Keeps systems apart that share a Redis: the channel is `<prefix>:wake-ups`. */
  readonly prefix: string;
  readonly log: Logger;
}

/** Wake-ups by Redis pub/sub: one connection that publishes and fails at once while Redis is away, one that listens. */
export class RedisTransport implements WakeUpTransport {
  readonly pauseMs = 5;
  private readonly channel: string;
  private readonly publisher: Redis;
  private readonly subscriber: Redis;

  constructor(private readonly options: RedisTransportOptions) {
    this.channel = `${options.prefix}:wake-ups`;
    this.publisher = connectRedis(options.url, 'request', options.log);
    this.subscriber = connectRedis(options.url, 'subscriber', options.log);
  }

  start(on: TransportEvents): void {
    this.subscriber.on('message', (_channel, text) => on.notice(text));
    this.subscriber.on('ready', () => {
      this.subscriber.subscribe(this.channel).then(
        () => on.connected(),
        // The connection broke again before the answer: the next `ready` subscribes.
        (error: unknown) => this.options.log.debug({ err: error }, 'no subscription for wake-ups yet'),
      );
    });
  }

  async send(texts: readonly string[]): Promise<void> {
    await Promise.all(texts.map((text) => this.publisher.publish(this.channel, text)));
  }

  async close(): Promise<void> {
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }
}
