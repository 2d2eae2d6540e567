import { randomUUID } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import type { EndedAttempt } from '../../application/webhook/delivery-rows';
import type { WebhookNotices } from '../../application/webhook/webhook-notices';
import type { ConsumerFacts } from '../../read/consumer-facts';
import type { ConsumerRights } from '../../read/consumer-rights';
import { endOf } from '../../read/offsets';
import { REFUSED } from '../../read/reading/consumer-reader';
import type { LeasedPush, PushedConsumer, StoredBatch } from './batch-rows';
import { dropBatch, leasePush, postponeBatch, pushed, settleBatch, storeBatch } from './batch-rows';
import type { BatchPlans, PlannedBatch } from './batch-plans';
import type { PushMemory } from './push-memory';
import type { BatchSender, ClosingSender, SentBatch } from './batch-sender';

/** Longer than an attempt takes: how long a worker that dies delays its consumers. An engine may have to be connected to. */
const LEASE_MS = { webhook: 30_000, sink: 60_000 } as const;
/** How long a consumer that only a newer release can read is left alone, in milliseconds. */
const STOPPED_MS = 60_000;

/** What sends the events of consumers. */
export interface PushParts {
  readonly kernel: Kernel;
  readonly consumers: ConsumerFacts;
  readonly rights: ConsumerRights;
  readonly plans: BatchPlans;
  readonly webhooks: BatchSender;
  readonly sinks: ClosingSender;
  readonly reports: WebhookNotices;
}

/** Why there are no events: there may be some further on, there are none, or the owner may not read them. */
type NoBatch = 'more' | 'nothing' | typeof REFUSED;

/** Sends the events of one consumer to its webhook or into its sink, one batch after the other. */
export class ConsumerPush {
  /** @param holder this process, in leases */
  constructor(
    private readonly parts: PushParts,
    private readonly holder: string,
    private readonly realmId: RealmId,
    private readonly id: number,
    private readonly memory: PushMemory,
  ) {}

  /** One batch at most. @returns whether there may be another one now */
  async step(): Promise<boolean> {
    const { kernel, rights } = this.parts;
    const head = await kernel.fence.reach(this.realmId);
    const consumer = await this.consumer();
    if (!consumer || !(await rights.reader(consumer))) return this.memory.quiet(head);
    // Most growth has nothing for most consumers. This is found out without a lease.
    const ahead = await this.next(consumer, head);
    if (typeof ahead === 'string') return ahead === 'more' || this.memory.quiet(head);
    const lease = this.lease(consumer);
    const leased = await leasePush(kernel.database, consumer, lease);
    this.memory.waitsUntil = leased?.dueAt ?? lease.until;
    if (!leased || leased.dueAt > lease.now) return false;
    const batch = leased.batch
      ? await this.again(consumer, leased.batch)
      : await this.store(consumer, leased, ahead, head);
    if (typeof batch === 'object') return this.send(consumer, leased, batch, head);
    return batch === 'more' || this.memory.quiet(head);
  }

  private async consumer(): Promise<PushedConsumer | null> {
    const consumer = await this.parts.consumers.byId(this.realmId, this.id);
    return consumer && !consumer.isPaused ? pushed(consumer) : null;
  }

  private lease({ push }: PushedConsumer) {
    const now = this.parts.kernel.clock.now();
    return { holder: this.holder, now, until: (now + LEASE_MS[push.kind]) as Instant };
  }

  /** The events of an earlier attempt, as far as the consumer still gets them. */
  private async again(consumer: PushedConsumer, batch: StoredBatch): Promise<SentBatch | typeof REFUSED> {
    const events = await this.parts.plans.again(consumer, batch);
    return events === REFUSED ? REFUSED : { ...batch, events };
  }

  /** The next events. Null if the database must say first what was sent. */
  private async next(consumer: PushedConsumer, head: Position): Promise<PlannedBatch | NoBatch | null> {
    const { kernel, plans } = this.parts;
    const after = this.memory.nextFor(consumer);
    if (after === null) return null;
    const upTo = endOf(head);
    const plan = await plans.next(consumer, after, upTo);
    if (plan === REFUSED || plan.events.length > 0) return plan;
    await this.memory.scanned(consumer, plan.through);
    if (plan.isStopped) this.memory.stoppedUntil = (kernel.clock.now() + STOPPED_MS) as Instant;
    return plan.through < upTo && !plan.isStopped ? 'more' : 'nothing';
  }

  /** The next events, which are stored before they are sent. @param ahead what was read before the lease */
  private async store(
    consumer: PushedConsumer,
    { readTo }: LeasedPush,
    ahead: PlannedBatch | null,
    head: Position,
  ): Promise<SentBatch | NoBatch> {
    const isCurrent = this.memory.isAt(consumer, readTo);
    if (!isCurrent) this.memory.settled(consumer, readTo);
    const plan = isCurrent && ahead ? ahead : await this.next(consumer, head);
    if (plan === null) return 'more';
    if (typeof plan === 'string') return plan;
    const { events, through } = plan;
    const batch = { id: `msg_${randomUUID()}`, offsets: events.map(({ offset }) => offset), through };
    if (!(await storeBatch(this.parts.kernel.database.pool, consumer, batch, this.lease(consumer)))) return 'more';
    this.memory.forget();
    return { ...batch, events };
  }

  private async send(consumer: PushedConsumer, leased: LeasedPush, batch: SentBatch, head: Position): Promise<boolean> {
    const { kernel } = this.parts;
    const { pool } = kernel.database;
    const { holder } = this;
    const at = kernel.clock.now();
    const from = leased.readTo;
    if (batch.events.length === 0) {
      await dropBatch(pool, consumer, batch, { holder, from });
      this.memory.forget();
      return true;
    }
    const { webhooks, sinks } = this.parts;
    const sender = consumer.push.kind === 'webhook' ? webhooks : sinks;
    const sent = await sender.send(consumer, batch, { at, failures: leased.failures });
    if (!sent) return this.memory.quiet(head);
    const { after, status, ms, answer } = sent;
    const ended: EndedAttempt = { at, attempt: leased.failures + 1, status, ms, answer };
    if (after.kind === 'acknowledged') {
      const isSettled = await settleBatch(pool, consumer, batch, { holder, from, ended });
      if (isSettled) this.memory.settled(consumer, batch.through);
      return true;
    }
    if (after.kind === 'gone') await this.parts.reports.gone(consumer);
    const wait = after.kind === 'retry' ? after.waitMs : 0;
    const dueAt = (kernel.clock.now() + wait) as Instant;
    await postponeBatch(pool, consumer, batch, { holder, dueAt, ended });
    this.memory.waitsUntil = dueAt;
    return false;
  }
}
