import type { Kernel, Queues } from '@annals/kernel';
import { RealmSweep, isOutage } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Deliveries } from '../application/deliveries';
import type { ReminderDeliveries } from '../application/reminder-deliveries';
import { OrderedDelivery } from '../application/delivery-order';
import type { ScheduledId } from '../domain/events';
import { QUEUES, realmOfJob } from './due-jobs';
import type { ScheduledRow } from '../read/scheduled-row';
import { readDue, DUE_REALMS } from '../read/scheduled-row';

/** Interval in ms at which due rows are read. */
const SWEEP_MS = 1_000;
/** Rows read at once. */
const PAGE = 500;
/** Organizations whose pages are delivered at the same time. */
const REALMS_AT_ONCE = 4;
/** Rows of a page that are decided at the same time. */
const AT_ONCE = 64;
/** Attempts of a delivery that fails by a server error. */
const TRIES = 10;
const WARNING = 'what is due could not be looked for; trying again in a second';

/**
 * Delivers what is due, in the order of time (contract/scheduling.md section 6): on a job, at its start and every
 * second. Several workers may do so at once.
 */
export class Deliverer extends RealmSweep {
  /** By organization and id: two organizations have the same ids. */
  private readonly tries = new Map<string, number>();

  protected override readonly search = DUE_REALMS;

  constructor(
    private readonly kernel: Kernel,
    private readonly messages: Deliveries,
    private readonly reminders: ReminderDeliveries,
  ) {
    super(SWEEP_MS, kernel, WARNING, REALMS_AT_ONCE);
  }

  protected override workOn(queues: Queues): void {
    for (const queue of Object.values(QUEUES)) {
      queues.work(queue, async ({ data }) => this.launch(realmOfJob(data)));
    }
  }

  protected override async pass(realmId: RealmId): Promise<void> {
    const { database, clock, fence } = this.kernel;
    const failing: ScheduledId[] = [];
    let before: ScheduledId | undefined;
    const next = async (): Promise<boolean> => {
      // Rows that processes of another version have added are read too.
      await fence.reach(realmId);
      const due = await readDue(database.pool, realmId, clock.now(), PAGE, failing);
      const first = due[0]?.id;
      // A row that is still there was not due any more when its delivery was decided: the clock stepped back.
      if (first === undefined || first === before) return false;
      before = first;
      failing.push(...(await this.page(realmId, due)));
      return true;
    };
    await this.eachPage(next);
  }

  /** @returns those that failed by a server error, which this pass leaves out from then on */
  private async page(realmId: RealmId, due: readonly ScheduledRow[]): Promise<readonly ScheduledId[]> {
    const places = await this.places(realmId, due);
    const begun = new Map<string, OrderedDelivery>();
    const deliveries: OrderedDelivery[] = [];
    const failing: ScheduledId[] = [];
    try {
      for (const row of due) {
        await deliveries.at(-AT_ONCE)?.ended;
        if (this.isStopping) break;
        const place = places.get(row.id) ?? '';
        const first = begun.get(place);
        const act = async (delivery: OrderedDelivery) => {
          // The first one may start a topic or a conversation that the others are sent to.
          await first?.ended;
          if (!(await this.attempt(realmId, row, delivery))) failing.push(row.id);
        };
        const delivery = new OrderedDelivery(deliveries.at(-1) ?? null, act);
        deliveries.push(delivery);
        if (!first) begun.set(place, delivery);
      }
      await deliveries.at(-1)?.ended;
    } finally {
      await Promise.allSettled(deliveries.map(({ ended }) => ended));
    }
    return failing;
  }

  private async places(realmId: RealmId, due: readonly ScheduledRow[]): Promise<ReadonlyMap<ScheduledId, string>> {
    const idsOf = (reminders: boolean) => due.flatMap(({ id, isReminder }) => (isReminder === reminders ? [id] : []));
    try {
      await this.reminders.load(realmId, idsOf(true));
      return await this.messages.places(realmId, idsOf(false));
    } catch (err) {
      if (isOutage(err)) throw err;
      // One of them cannot be read. Reading each by itself shows which. Until then all have one destination.
      this.kernel.options.log.error({ err, realmId }, 'what is due could not be read at once');
      return new Map();
    }
  }

  /** @returns whether the delivery ended, with success or not */
  private async attempt(realmId: RealmId, row: ScheduledRow, delivery: OrderedDelivery): Promise<boolean> {
    try {
      await this.kernel.fence.reach(realmId);
      if (row.isReminder) await this.reminders.deliver(realmId, row.id, delivery);
      else await this.messages.deliver({ realmId, ...row }, delivery);
      this.tries.delete(keyOf(realmId, row));
      return true;
    } catch (err) {
      if (isOutage(err)) throw err;
      await this.failedOnce(realmId, row, err, delivery);
      return false;
    }
  }

  /** A server error with one row must not delay all later ones. */
  private async failedOnce(
    realmId: RealmId,
    row: ScheduledRow,
    err: unknown,
    delivery: OrderedDelivery,
  ): Promise<void> {
    const key = keyOf(realmId, row);
    const tries = (this.tries.get(key) ?? 0) + 1;
    this.tries.set(key, tries);
    this.kernel.options.log.error({ err, realmId, scheduled: row.id, tries }, 'something due could not be delivered');
    if (tries < TRIES) return;
    this.tries.delete(key);
    try {
      if (row.isReminder) await this.reminders.giveUp(realmId, row.id, delivery);
      else await this.messages.giveUp({ realmId, ...row }, delivery);
    } catch (reason) {
      if (isOutage(reason)) throw reason;
      this.kernel.options.log.error({ err: reason, realmId, scheduled: row.id }, 'something due could not be given up');
    }
  }
}

const keyOf = (realmId: RealmId, { id }: ScheduledRow): string => `${realmId}:${id}`;
