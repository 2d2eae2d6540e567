import type { Kernel } from '@annals/kernel';
import { Overloaded, isTransient } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Batch, Deliveries } from '../application/deliveries';
import type { ReminderDeliveries } from '../application/reminder-deliveries';
import type { ScheduledId } from '../domain/events';
import { QUEUES, realmOf } from './due-jobs';
import type { ScheduledRow } from '../read/scheduled-row';
import { readDue, readDueRealms } from '../read/scheduled-row';

/** A look at the clock of the database; jobs come earlier, but may be lost. */
const SWEEP_MS = 1_000;
/** Rows read at once. */
const PAGE = 500;
/** Messages of one author that become one append at most. */
const TOGETHER = 50;
/** Tries of something that fails for no reason of its own before it is given up. */
const TRIES = 10;

/**
 * Delivers what is due, in the order of its time (contract/scheduling.md section 6): on a job, on start and every second.
 * Several workers may do so at once.
 */
export class Deliverer {
  private timer: NodeJS.Timeout | null = null;
  private stopping = false;
  private looking: Promise<void> | null = null;
  private nextLook: Promise<void> | null = null;
  /** The pass through each organization that is under way, and whether somebody asked again since it began. */
  private readonly passes = new Map<RealmId, { done: Promise<void>; again: boolean }>();
  private readonly tries = new Map<ScheduledId, number>();

  constructor(
    private readonly kernel: Kernel,
    private readonly messages: Deliveries,
    private readonly reminders: ReminderDeliveries,
  ) {}

  async start(): Promise<void> {
    const queues = await this.kernel.queues();
    for (const queue of Object.values(QUEUES)) {
      queues.work(queue, ({ data }) => this.deliver(realmOf(data)));
    }
    this.timer = setInterval(() => void this.sweep(), SWEEP_MS);
    void this.sweep();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearInterval(this.timer);
    await (this.nextLook ?? this.looking);
    await Promise.all([...this.passes.values()].map(({ done }) => done));
  }

  /** Delivers whatever is due anywhere; who asks while a look is under way gets another one. */
  sweep(): Promise<void> {
    if (!this.looking) return (this.looking = this.lookEverywhere().finally(() => (this.looking = null)));
    this.nextLook ??= this.looking.then(() => {
      this.nextLook = null;
      return this.sweep();
    });
    return this.nextLook;
  }

  private async lookEverywhere(): Promise<void> {
    const { database, clock, options } = this.kernel;
    try {
      for (const realmId of await readDueRealms(database.pool, clock.now())) await this.deliver(realmId);
    } catch (err) {
      options.log.warn({ err }, 'what is due could not be looked for; trying again in a second');
    }
  }

  /** Delivers what is due in an organization; who asks meanwhile gets another pass. */
  deliver(realmId: RealmId): Promise<void> {
    const pass = this.passes.get(realmId);
    if (pass) {
      pass.again = true;
      return pass.done;
    }
    const started = { done: Promise.resolve(), again: false };
    this.passes.set(realmId, started);
    started.done = this.passUntilQuiet(realmId, started).finally(() => this.passes.delete(realmId));
    return started.done;
  }

  private async passUntilQuiet(realmId: RealmId, pass: { again: boolean }): Promise<void> {
    do {
      pass.again = false;
      await this.pass(realmId);
    } while (pass.again && !this.stopping);
  }

  private async pass(realmId: RealmId): Promise<void> {
    const { database, clock, fence } = this.kernel;
    const failing: ScheduledId[] = [];
    let before: ScheduledId | undefined;
    while (!this.stopping) {
      const due = await readDue(database.pool, realmId, clock.now(), PAGE, failing);
      const first = due[0]?.id;
      // What is still there was not due any more for whom it was decided: the clock stepped back.
      if (first === undefined || first === before) return;
      before = first;
      for (const rows of batchesOf(due)) {
        if (this.stopping) return;
        await fence.reach(realmId);
        failing.push(...(await this.attempt(realmId, rows)));
      }
    }
  }

  /** @returns those that failed for no reason of their own, to be left out for the rest of this pass */
  private async attempt(realmId: RealmId, rows: readonly ScheduledRow[]): Promise<readonly ScheduledId[]> {
    try {
      await this.run(realmId, rows);
      for (const { id } of rows) this.tries.delete(id);
      return [];
    } catch (err) {
      // The database is away or busy: everything waits, in its order.
      if (err instanceof Overloaded || isTransient(err)) throw err;
      if (rows.length > 1) {
        const failing: ScheduledId[] = [];
        for (const row of rows) failing.push(...(await this.attempt(realmId, [row])));
        return failing;
      }
      await this.failedOnce(realmId, rows, err);
      return rows.map(({ id }) => id);
    }
  }

  private async run(realmId: RealmId, rows: readonly ScheduledRow[]): Promise<void> {
    const [first] = rows;
    if (!first) return;
    if (first.isReminder) await this.reminders.deliver(realmId, first.id);
    else await this.messages.deliver(batch(realmId, rows, first));
  }

  /** What fails for a mistake of ours must not hold up all that comes after it. */
  private async failedOnce(realmId: RealmId, rows: readonly ScheduledRow[], err: unknown): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const tries = (this.tries.get(first.id) ?? 0) + 1;
    this.tries.set(first.id, tries);
    this.kernel.options.log.error({ err, realmId, scheduled: first.id, tries }, 'something due could not be delivered');
    if (tries < TRIES) return;
    this.tries.delete(first.id);
    if (first.isReminder) await this.reminders.giveUp(realmId, first.id);
    else await this.messages.giveUp(batch(realmId, rows, first));
  }
}

const batch = (realmId: RealmId, rows: readonly ScheduledRow[], { userId, client }: ScheduledRow): Batch => ({
  realmId,
  userId,
  client,
  ids: rows.map(({ id }) => id),
});

/** Runs of messages that one author wrote with one program; the order stays. */
function batchesOf(rows: readonly ScheduledRow[]): ScheduledRow[][] {
  const batches: ScheduledRow[][] = [];
  for (const row of rows) {
    const last = batches.at(-1);
    const before = last?.at(-1);
    const fits =
      last !== undefined &&
      last.length < TOGETHER &&
      !row.isReminder &&
      before?.isReminder === false &&
      before.userId === row.userId &&
      before.client === row.client;
    if (fits) last.push(row);
    else batches.push([row]);
  }
  return batches;
}
