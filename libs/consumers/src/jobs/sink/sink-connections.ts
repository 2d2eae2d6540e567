import { Kernel, OutgoingRefused } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { SinkAddresses } from '../../application/sink/sink-addresses';
import { SinkCredentials } from '../../application/sink/sink-credentials';
import type { SinkKind, SinkTarget } from '../../domain/sink/sink-target';
import type { ConsumerEvent } from '../../read/reading/cloud-event';
import type { PushedConsumer } from '../push/batch-rows';
import type { ConnectSink, SinkConnection } from './engines/engine';
import { SinkFault } from './engines/engine';
import { connectKafka } from './engines/kafka-engine';
import { connectNats } from './engines/nats-engine';
import { connectRedis } from './engines/redis-engine';

const CONNECT: Readonly<Record<SinkKind, ConnectSink>> = {
  kafka: connectKafka,
  nats: connectNats,
  redis: connectRedis,
};

/** How long a connection stays open that is not used, in milliseconds. */
const IDLE_MS = 60_000;
/** After a longer connecting, the next attempt stores: this one must end before the lease of the consumer. */
const SLOW_MS = 20_000;

interface OpenSink {
  /** That of the sink for which it was opened. */
  readonly freshSince: number;
  readonly connection: SinkConnection;
  usedAt: Instant;
  isBusy: boolean;
}

/** The connections of this process to engines, one for each consumer. They are kept for the next events. */
@Injectable()
export class SinkConnections {
  private readonly open = new Map<string, OpenSink>();

  constructor(
    private readonly kernel: Kernel,
    private readonly credentials: SinkCredentials,
    private readonly addresses: SinkAddresses,
  ) {}

  /** Stores events in order, over the open connection or a new one. At most one call at a time for a consumer. @throws SinkFault */
  async store(consumer: PushedConsumer, target: SinkTarget, events: readonly ConsumerEvent[]): Promise<void> {
    const key = `${consumer.realmId}:${consumer.id}`;
    const sink = await this.opened(key, consumer, target);
    sink.isBusy = true;
    try {
      await sink.connection.store(events);
      sink.usedAt = this.kernel.clock.now();
      sink.isBusy = false;
    } catch (error) {
      await this.drop(key, sink);
      throw error;
    }
  }

  /** Closes what was not used for some time, or is of no use any more. */
  async closeIdle(): Promise<void> {
    const now = this.kernel.clock.now();
    for (const [key, sink] of this.open)
      if (!sink.isBusy && (sink.usedAt + IDLE_MS <= now || !sink.connection.isOpen)) await this.drop(key, sink);
  }

  async close(): Promise<void> {
    for (const [key, sink] of this.open) await this.drop(key, sink);
  }

  private async opened(key: string, { realmId, push }: PushedConsumer, target: SinkTarget): Promise<OpenSink> {
    const known = this.open.get(key);
    if (known?.freshSince === push.freshSince && known.connection.isOpen) return known;
    if (known) await this.drop(key, known);
    const credential = this.credentials.for(realmId, target);
    if (credential === undefined)
      throw new SinkFault(`The server has no credentials named ${target.credentials ?? ''} for these addresses`);
    const started = performance.now();
    const addressesOf = (host: string, isEncrypted: boolean) => this.checked(host, isEncrypted);
    const connection = await CONNECT[target.kind]({ target, credential, addressesOf });
    const sink = { freshSince: push.freshSince, connection, usedAt: this.kernel.clock.now(), isBusy: false };
    this.open.set(key, sink);
    if (performance.now() - started > SLOW_MS) throw new SinkFault('It took too long to connect');
    return sink;
  }

  private async checked(host: string, isEncrypted: boolean): Promise<readonly string[]> {
    try {
      return await this.addresses.of(host, isEncrypted);
    } catch (error) {
      if (!(error instanceof OutgoingRefused)) throw error;
      if (error.fault === 'address') throw new SinkFault(`${host} is not a public address`);
      if (error.fault === 'insecure') throw new SinkFault(`${host} must be encrypted`);
      throw new SinkFault(`The name ${host} has no address`);
    }
  }

  private async drop(key: string, sink: OpenSink): Promise<void> {
    if (this.open.get(key) === sink) this.open.delete(key);
    try {
      await sink.connection.close();
    } catch (err) {
      this.kernel.options.log.warn({ err }, 'a connection to an engine could not be closed');
    }
  }
}
