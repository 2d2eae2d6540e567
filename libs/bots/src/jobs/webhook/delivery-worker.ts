import type { Kernel, Queues } from '@annals/kernel';
import { QueuedSweep, isOutage } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { messageIdAt } from '@annals/kernel/domain';
import type { WebhookDeliveries } from '../../application/webhook/webhook-deliveries';
import { retryAfter } from '../../domain/webhook/webhook-fault';
import { WEBHOOKS_QUEUE } from '../bot-tasks';
import type { Delivery, LeasedDelivery } from './delivery-rows';
import { completeDelivery, leaseDeliveries, postponeDelivery, REALMS_TO_DELIVER } from './delivery-rows';

const SWEEP_MS = 1_000;
/** Longer than a delivery takes: how long a worker that dies delays a message. */
const LEASE_MS = 30_000;
/** Deliveries that one worker makes at a time, each for another bot, and those for bots of one organization. */
const AT_ONCE = 32;
const AT_ONCE_IN_REALM = 16;
/** Attempts of a delivery that fails by a server error, and the wait in ms after one. */
const MAX_ATTEMPTS = 8;
const RETRY_MS = 5_000;
const WARNING = 'messages for outgoing webhooks could not be looked for; trying again in a second';

/**
 * Sends messages to the programs behind bots: on a job, at its start and every second. Several workers may do so at once. A
 * bot gets its messages one after another, and no bot waits for another one.
 */
export class DeliveryWorker extends QueuedSweep {
  private readonly running = new Map<Promise<unknown>, RealmId>();

  constructor(
    private readonly kernel: Kernel,
    private readonly deliveries: Pick<WebhookDeliveries, 'deliver' | 'giveUp'>,
  ) {
    super(SWEEP_MS, kernel, WARNING);
  }

  /** Also waits for the deliveries that are under way. */
  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.running.keys());
  }

  /** Resolves when nothing is due and nothing is under way. */
  async idle(): Promise<void> {
    for (;;) {
      await this.sweep();
      if (this.running.size === 0) return;
      await Promise.all(this.running.keys());
    }
  }

  protected override workOn(queues: Queues): void {
    queues.work(WEBHOOKS_QUEUE, () => this.sweep());
  }

  /** Begins what is due, as far as there is room. Each delivery that ends makes room for the next. */
  protected override async everywhere(): Promise<void> {
    const { database, clock } = this.kernel;
    const realms = await this.kernel.due.find(REALMS_TO_DELIVER);
    // Who has the fewest deliveries under way comes first, so that busy organizations do not take all the room.
    for (const realmId of realms.sort((a, b) => this.runningIn(a) - this.runningIn(b))) {
      if (this.isStopping) return;
      const now = clock.now();
      const lease = { now, until: (now + LEASE_MS) as Instant, limit: this.roomFor(realmId) };
      const leased = lease.limit > 0 ? await leaseDeliveries(database.pool, realmId, lease) : [];
      for (const delivery of leased) this.launch(delivery);
    }
  }

  private roomFor(realmId: RealmId): number {
    return Math.min(AT_ONCE_IN_REALM - this.runningIn(realmId), AT_ONCE - this.running.size);
  }

  private runningIn(realmId: RealmId): number {
    let count = 0;
    for (const one of this.running.values()) if (one === realmId) count += 1;
    return count;
  }

  private launch(delivery: LeasedDelivery): void {
    const { realmId } = delivery;
    const run = this.isolated({ realm: realmId }, () => this.attempt(delivery)).finally(() => {
      this.running.delete(run);
      if (!this.isStopping) void this.isolated({}, () => this.sweep());
    });
    this.running.set(run, realmId);
  }

  private async attempt(delivery: LeasedDelivery): Promise<void> {
    const { database, clock } = this.kernel;
    const wait = retryAfter(delivery.attempts + 1);
    try {
      const isDone = await this.deliveries.deliver(taskOf(delivery), wait === null);
      if (isDone) return await completeDelivery(database.pool, delivery);
      const to = (clock.now() + (wait ?? RETRY_MS)) as Instant;
      await postponeDelivery(database.pool, delivery, { attempts: delivery.attempts + 1, to });
    } catch (err) {
      await this.failed(delivery, err);
    }
  }

  /** An error of this server. While the database is unavailable or overloaded, no attempt counts. */
  private async failed(delivery: LeasedDelivery, err: unknown): Promise<void> {
    const { database, clock, options } = this.kernel;
    const { realmId, position, botId } = delivery;
    const attempts = delivery.attempts + (isOutage(err) ? 0 : 1);
    options.log.error(
      { err, realmId, position, botId, attempts },
      'a message could not be sent to an outgoing webhook',
    );
    if (attempts < MAX_ATTEMPTS) {
      const to = (clock.now() + RETRY_MS) as Instant;
      return postponeDelivery(database.pool, delivery, { attempts, to });
    }
    await this.deliveries.giveUp(taskOf(delivery));
    await completeDelivery(database.pool, delivery);
  }
}

const taskOf = ({ realmId, botId, position }: Delivery) => ({ realmId, botId, messageId: messageIdAt(position) });
