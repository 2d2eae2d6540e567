import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { NoticeChannel, Letter } from './notice';
import type { TransportEvents, WakeUpTransport } from './wake-ups';
import { connectRedis } from '../queues/redis-connection';

export interface RedisTransportOptions {
  readonly url: string;
  /** Separates systems that share a Redis: channels are named `<prefix>:wake-ups:<channel>`. */
  readonly prefix: string;
  readonly log: Logger;
}

/** How long a confirmation of a subscription is waited for, in ms. */
const ANSWER_MS = 1_000;

/**
 * Wake-ups by Redis pub/sub: one connection that publishes and fails at once while Redis is unavailable, and one that
 * listens.
 */
export class RedisTransport implements WakeUpTransport {
  readonly pauseMs = 10;
  private readonly namespace: string;
  private readonly channels = new Set<string>();
  private readonly publisher: Redis;
  private readonly subscriber: Redis;

  constructor(private readonly options: RedisTransportOptions) {
    this.namespace = `${options.prefix}:wake-ups:`;
    this.publisher = connectRedis(options.url, 'request', options.log);
    this.subscriber = connectRedis(options.url, 'subscriber', options.log);
  }

  start(on: TransportEvents): void {
    this.subscriber.on('message', (name, text) => on.notice(name.slice(this.namespace.length), text));
    this.subscriber.on('ready', () => {
      this.subscribe([...this.channels]).then(
        () => on.connected(),
        // The connection broke again before the answer: the next `ready` subscribes.
        (error: unknown) => this.options.log.debug({ err: error }, 'no subscription for wake-ups yet'),
      );
    });
  }

  async listen(channel: NoticeChannel): Promise<void> {
    this.channels.add(channel);
    // A subscription that fails is made again with the next connection.
    const subscribed = this.subscribe([channel]).catch(() => undefined);
    await Promise.race([subscribed, delay(ANSWER_MS, undefined, { ref: false })]);
  }

  unlisten(channel: NoticeChannel): void {
    this.channels.delete(channel);
    this.subscriber.unsubscribe(this.namespace + channel).catch(() => undefined);
  }

  async send(letters: readonly Letter[]): Promise<void> {
    // In one packet, or each of them would wake Redis.
    const pipeline = this.publisher.pipeline();
    for (const { channel, text } of letters) pipeline.publish(this.namespace + channel, text);
    const answers = (await pipeline.exec()) ?? [];
    for (const [error] of answers) if (error) throw error;
  }

  async close(): Promise<void> {
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }

  private async subscribe(channels: readonly string[]): Promise<void> {
    if (channels.length > 0) await this.subscriber.subscribe(...channels.map((channel) => this.namespace + channel));
  }
}
