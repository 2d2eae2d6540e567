import { ActorReader } from '@annals/groups';
import { Kernel, Overloaded, ShuttingDown } from '@annals/kernel';
import type { Actor, Instant, RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { reject } from '../../domain/rejections';
import { StreamLeases } from '../../domain/stream-leases';
import { ConsumerFacts } from '../../read/consumer-facts';
import { ConsumerRights } from '../../read/consumer-rights';
import type { ConsumerRow } from '../../read/consumer-row';
import type { LogOffset } from '../../read/offsets';
import { LockedConsumers } from '../pull/locked-consumers';
import { PullPolls } from '../pull/pull-polls';
import type { BegunStream } from './consumer-stream';
import { ConsumerStream, STREAM_LEASE_MS } from './consumer-stream';
import type { StreamClaim } from './stream-claims';
import { StreamClaims, isLaterClaim } from './stream-claims';
import { endAfter } from './stream-end';

/** A worker that asks for a stream. */
export interface ConsumerStreamRequest extends Pick<BegunStream, 'worker' | 'mostHeld' | 'patienceMs'> {
  readonly consumer: string;
  /** The last event that it has received. Null if it does not say. */
  readonly received: LogOffset | null;
  /** Aborts when the worker disconnects. */
  readonly disconnected: AbortSignal;
}

/** An open stream of this process. */
interface OpenStream {
  readonly stream: ConsumerStream;
  readonly claim: StreamClaim;
}

const TICK_MS = 1_000;
/** The leases of a stream are prolonged so often. */
const PROLONG_MS = 20_000;
/** How long no other worker gets what a stream had when it ended: its client connects again after three seconds. */
const RESUME_MS = 10_000;

/** The streams of consumers in one process (contract/feed.md section 5). A worker has one, the newest, in all processes. */
@Injectable()
export class ConsumerStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly open = new Map<string, OpenStream>();
  private readonly claims: StreamClaims;
  private readonly unsubscribe: () => void;
  private timer: NodeJS.Timeout | null = null;
  private isClosing = false;

  constructor(
    private readonly kernel: Kernel,
    private readonly actors: ActorReader,
    private readonly consumers: ConsumerFacts,
    private readonly rights: ConsumerRights,
    private readonly locked: LockedConsumers,
    private readonly polls: PullPolls,
  ) {
    this.claims = new StreamClaims(kernel.wakeUps, kernel.clock, (realmId, claim) => this.claimed(realmId, claim));
    // An older stream in another process would not end by itself.
    this.unsubscribe = kernel.wakeUps.onLost(() => {
      for (const { stream, claim } of this.open.values()) this.claims.announce(stream.begun.consumer.realmId, claim);
    });
  }

  /** Streams that are open in this process. */
  get count(): number {
    return this.open.size;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tick(), TICK_MS);
  }

  /** Every stream ends, and gives its leases back while the database can still be reached. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    if (this.timer) clearInterval(this.timer);
    this.unsubscribe();
    this.claims.close();
    await Promise.all([...this.open.values()].map(({ stream }) => stream.close('unavailable')));
  }

  /** Once a second: prolongs leases, also of clients that read slowly, and ends streams that may not continue. */
  async tick(): Promise<void> {
    const now = this.kernel.clock.now();
    const due = [...this.open.values()].filter(({ stream }) => now - stream.lookedAt >= PROLONG_MS);
    await Promise.all(due.map(({ stream }) => this.prolong(stream, now)));
  }

  /**
   * Begins a stream, and ends the one that the worker has. What that one had sent up to an event is acknowledged, and the
   * rest is sent again.
   *
   * @throws Rejected NO_SUCH_CONSUMER, UNAUTHORIZED_AUDIT
   * @throws ShuttingDown while the process is shutting down
   */
  async begin(by: Actor, request: ConsumerStreamRequest): Promise<ConsumerStream> {
    const { worker, mostHeld, patienceMs, received, disconnected } = request;
    const consumer = await this.consumers.pulled(by, request.consumer);
    await this.rights.ensure(consumer);
    if (this.isClosing) throw new ShuttingDown();
    const older = this.open.get(keyOf(consumer.realmId, { consumer: consumer.id, worker }))?.stream;
    const stream = this.add({ id: randomUUID(), by, consumer, worker, mostHeld, patienceMs });
    disconnected.addEventListener('abort', () => void stream.return(), { once: true });
    await older?.close('replaced');
    await this.resume(stream, consumer, received);
    if (disconnected.aborted) void stream.return();
    return stream;
  }

  /** Other processes are notified before it leases anything. An older stream that does not yet know may repeat events. */
  private add(begun: BegunStream): ConsumerStream {
    const { consumer, worker, id } = begun;
    const home = {
      pull: this.polls.pull.bind(this.polls),
      failed: (stream: ConsumerStream, error: unknown) => this.failed(stream, error),
      ended: (stream: ConsumerStream) => this.ended(stream),
    };
    const stream = new ConsumerStream(begun, home, this.kernel.clock.now());
    const claim = this.claims.next({ consumer: consumer.id, worker, stream: id });
    this.open.set(keyOf(consumer.realmId, claim), { stream, claim });
    this.claims.announce(consumer.realmId, claim);
    return stream;
  }

  private async resume(stream: ConsumerStream, consumer: ConsumerRow, received: LogOffset | null): Promise<void> {
    try {
      await this.locked.change(consumer, async ({ offers }) =>
        new StreamLeases(offers).resume(stream.begun.worker, received, this.kernel.clock.now()),
      );
      this.polls.freed(consumer);
    } catch (error) {
      void stream.close('unavailable');
      throw error;
    }
  }

  /** The newest stream of a worker stays. */
  private claimed(realmId: RealmId, claim: StreamClaim): void {
    const own = this.open.get(keyOf(realmId, claim));
    if (!own || own.claim.stream === claim.stream) return;
    if (isLaterClaim(claim, own.claim)) void own.stream.close('replaced');
    else this.claims.announce(realmId, own.claim);
  }

  private async prolong(stream: ConsumerStream, now: Instant): Promise<void> {
    const { by, consumer } = stream.begun;
    stream.lookedAt = now;
    try {
      await this.kernel.fence.reach(by.realmId);
      const own = await this.consumers.pulled(await this.actors.refresh(by), consumer.name);
      // The name may be that of another consumer now.
      if (own.id !== consumer.id) throw reject.noSuchConsumer();
      await this.rights.ensure(own);
      if (stream.held === 0) return;
      await this.locked.change(own, async ({ offers }) =>
        new StreamLeases(offers).prolong(stream.holder, (now + STREAM_LEASE_MS) as Instant),
      );
    } catch (error) {
      this.failed(stream, error);
      await stream.close(endAfter(error));
    }
  }

  /** Other workers wait for what it gives back, unless its client may connect again soon. */
  private async ended(stream: ConsumerStream): Promise<void> {
    const { consumer, worker, id } = stream.begun;
    const key = keyOf(consumer.realmId, { consumer: consumer.id, worker });
    if (this.open.get(key)?.claim.stream === id) this.open.delete(key);
    try {
      const known = await this.consumers.byId(consumer.realmId, consumer.id);
      if (known) await this.release(stream, known);
    } catch (error) {
      // The leases run out by themselves.
      this.failed(stream, error);
    }
  }

  private async release(stream: ConsumerStream, consumer: ConsumerRow): Promise<void> {
    const patience = stream.end === 'replaced' ? 0 : RESUME_MS;
    await this.locked.change(consumer, async ({ offers }) =>
      new StreamLeases(offers).release(stream.holder, (this.kernel.clock.now() + patience) as Instant),
    );
    this.polls.freed(consumer);
  }

  private failed({ begun, holder }: ConsumerStream, error: unknown): void {
    if (error instanceof Rejected || error instanceof Overloaded) return;
    const { realmId, id } = begun.consumer;
    this.kernel.options.log.error(
      { err: error, realm: realmId, consumer: id, holder },
      'a stream of a consumer failed',
    );
  }
}

const keyOf = (realmId: RealmId, { consumer, worker }: Pick<StreamClaim, 'consumer' | 'worker'>): string =>
  `${realmId}:${consumer}:${worker}`;
