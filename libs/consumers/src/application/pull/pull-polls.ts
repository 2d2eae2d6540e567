import { ActorReader } from '@annals/groups';
import { Kernel, ShuttingDown } from '@annals/kernel';
import type { Actor, Instant, RealmId } from '@annals/kernel/domain';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { ConsumerFacts } from '../../read/consumer-facts';
import type { ConsumerRow } from '../../read/consumer-row';
import type { TakeRequest, TakenEvents } from './take-events';
import { TakeEvents } from './take-events';

/** A worker that asks for events, and waits for them. */
export interface PullRequest extends TakeRequest {
  readonly consumer: string;
  /** How long it waits while there is nothing for it. */
  readonly waitMs: number;
  readonly disconnected: AbortSignal;
}

/** A worker that waits in this process. */
interface WaitingPull {
  readonly realmId: RealmId;
  readonly consumerId: number;
  readonly deadline: Instant;
  /** When a lease or a waiting of the consumer ends. */
  nextDue: Instant | null;
  /** Lets it ask again. */
  wake: () => void;
}

const TICK_MS = 1_000;
/** The signal that events of a consumer may be offered that were blocked before. */
const FREED = 'consumers.freed';

/**
 * Workers that wait for events, in one process. A wake-up says that a log has grown or that events became free, so nobody
 * asks the database while nothing happens.
 */
@Injectable()
export class PullPolls implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly waiting = new Set<WaitingPull>();
  /** Ends the wake-ups of a realm in which workers wait. */
  private readonly realms = new Map<RealmId, () => void>();
  private readonly subscriptions: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isClosing = false;

  constructor(
    private readonly kernel: Kernel,
    private readonly actors: ActorReader,
    private readonly consumers: ConsumerFacts,
    private readonly taking: TakeEvents,
  ) {}

  /** Workers that wait in this process. */
  get count(): number {
    return this.waiting.size;
  }

  onApplicationBootstrap(): void {
    const { wakeUps } = this.kernel;
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.subscriptions.push(
      wakeUps.onLost(() => this.wake(() => true)),
      wakeUps.onSignal(FREED, (realmId, id) => this.wakeConsumer(realmId, id as number)),
    );
  }

  /** Every waiting worker gets an empty answer. */
  beforeApplicationShutdown(): void {
    this.isClosing = true;
    if (this.timer) clearInterval(this.timer);
    for (const unsubscribe of [...this.subscriptions, ...this.realms.values()]) unsubscribe();
    this.wake(() => true);
  }

  /** Wakes those that have waited long enough, and those for whom a lease has ended. */
  tick(): void {
    const now = this.kernel.clock.now();
    this.wake(({ deadline, nextDue }) => deadline <= now || (nextDue !== null && nextDue <= now));
  }

  /** Events of a consumer were settled or given back. */
  freed({ realmId, id }: Pick<ConsumerRow, 'realmId' | 'id'>): void {
    this.wakeConsumer(realmId, id);
    this.kernel.wakeUps.signal(FREED, realmId, id);
  }

  /**
   * The next events for a worker. Waits until there are some.
   *
   * @throws Rejected NO_SUCH_CONSUMER, UNAUTHORIZED_AUDIT, and what a revoked key gets
   * @throws ShuttingDown while the process is shutting down, unless it does not wait
   */
  async pull(by: Actor, request: PullRequest): Promise<TakenEvents> {
    const consumer = await this.consumers.pulled(by, request.consumer);
    if (request.waitMs === 0) return this.taking.take(consumer, request);
    if (this.isClosing) throw new ShuttingDown();
    const deadline = (this.kernel.clock.now() + request.waitMs) as Instant;
    const poll: WaitingPull = { realmId: by.realmId, consumerId: consumer.id, deadline, nextDue: null, wake: () => {} };
    const aborted = () => poll.wake();
    request.disconnected.addEventListener('abort', aborted, { once: true });
    this.waiting.add(poll);
    try {
      await this.listen(by.realmId);
      return await this.wait(by, request, poll);
    } finally {
      request.disconnected.removeEventListener('abort', aborted);
      this.leave(poll);
    }
  }

  private async wait(by: Actor, request: PullRequest, poll: WaitingPull): Promise<TakenEvents> {
    for (;;) {
      const woken = new Promise<void>((resolve) => (poll.wake = resolve));
      await this.kernel.fence.reach(by.realmId);
      const actor = await this.actors.refresh(by);
      const taken = await this.taking.take(await this.consumers.pulled(actor, request.consumer), request);
      const isOver = this.isClosing || request.disconnected.aborted || this.kernel.clock.now() >= poll.deadline;
      if (taken.events.length > 0 || isOver) return taken;
      poll.nextDue = taken.nextDue;
      if (!taken.hasMore) await woken;
    }
  }

  /** Wake-ups from now on are received. */
  private async listen(realmId: RealmId): Promise<void> {
    if (!this.realms.has(realmId)) {
      const { wakeUps } = this.kernel;
      const ends = wakeUps.subscribe('head', realmId, () => this.wake((poll) => poll.realmId === realmId));
      this.realms.set(realmId, ends);
    }
    await this.kernel.wakeUps.listening(realmId);
  }

  private leave(poll: WaitingPull): void {
    const { realmId } = poll;
    this.waiting.delete(poll);
    if ([...this.waiting].some((other) => other.realmId === realmId)) return;
    this.realms.get(realmId)?.();
    this.realms.delete(realmId);
  }

  private wakeConsumer(realmId: RealmId, id: number): void {
    this.wake((poll) => poll.realmId === realmId && poll.consumerId === id);
  }

  private wake(isMeant: (poll: WaitingPull) => boolean): void {
    for (const poll of this.waiting) if (isMeant(poll)) poll.wake();
  }
}
