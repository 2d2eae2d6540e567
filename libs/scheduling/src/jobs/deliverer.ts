import type { Kernel } from '@annals/kernel';
import { Overloaded, isTransient } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Deliveries } from '../application/deliveries';
import type { ReminderDeliveries } from '../application/reminder-deliveries';
import { Turn } from '../application/turn';
import type { ScheduledId } from '../domain/events';
import { QUEUES, realmOf } from './due-jobs';
import type { ScheduledRow } from '../read/scheduled-row';
import { readDue, readDueRealms } from '../read/scheduled-row';

/** A look at the clock of the database; jobs come earlier, but may be lost. */
const SWEEP_MS = 1_000;
/** Rows read at once. */
const PAGE = 500;
/** Of those, how many are decided at the same time. */
const AT_ONCE = 64;
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
    const { database, clock } = this.kernel;
    const failing: ScheduledId[] = [];
    let before: ScheduledId | undefined;
    while (!this.stopping) {
      const due = await readDue(database.pool, realmId, clock.now(), PAGE, failing);
      const first = due[0]?.id;
      // What is still there was not due any more for whom it was decided: the clock stepped back.
      if (first === undefined || first === before) return;
      before = first;
      failing.push(...(await this.page(realmId, due)));
    }
  }

  /** @returns those that failed for no reason of their own, to be left out for the rest of this pass */
  private async page(realmId: RealmId, due: readonly ScheduledRow[]): Promise<readonly ScheduledId[]> {
    await this.kernel.fence.reach(realmId);
    const places = await this.places(realmId, due);
    const begun = new Map<string, Turn>();
    const turns: Turn[] = [];
    const failing: ScheduledId[] = [];
    try {
      for (const row of due) {
        await turns.at(-AT_ONCE)?.ended;
        if (this.stopping) break;
        const place = places.get(row.id) ?? '';
        const first = begun.get(place);
        const act = async (turn: Turn) => {
          // The first one may begin a topic or a conversation that the others go to.
          await first?.ended;
          if (!(await this.attempt(realmId, row, turn))) failing.push(row.id);
        };
        const turn = new Turn(turns.at(-1) ?? null, act);
        turns.push(turn);
        if (!first) begun.set(place, turn);
      }
      await turns.at(-1)?.ended;
    } finally {
      await Promise.allSettled(turns.map(({ ended }) => ended));
    }
    return failing;
  }

  private async places(realmId: RealmId, due: readonly ScheduledRow[]): Promise<ReadonlyMap<ScheduledId, string>> {
    const idsOf = (reminders: boolean) => due.flatMap(({ id, isReminder }) => (isReminder === reminders ? [id] : []));
    await this.reminders.load(realmId, idsOf(true));
    return this.messages.places(realmId, idsOf(false));
  }

  /** @returns whether it is over with it, in whatever way */
  private async attempt(realmId: RealmId, row: ScheduledRow, turn: Turn): Promise<boolean> {
    try {
      await this.kernel.fence.reach(realmId);
      if (row.isReminder) await this.reminders.deliver(realmId, row.id, turn);
      else await this.messages.deliver({ realmId, ...row }, turn);
      this.tries.delete(row.id);
      return true;
    } catch (err) {
      // The database is away or busy: everything waits, in its order.
      if (err instanceof Overloaded || isTransient(err)) throw err;
      await this.failedOnce(realmId, row, err, turn);
      return false;
    }
  }

  /** What fails for a mistake of ours must not hold up all that comes after it. */
  private async failedOnce(realmId: RealmId, row: ScheduledRow, err: unknown, turn: Turn): Promise<void> {
    const tries = (this.tries.get(row.id) ?? 0) + 1;
    this.tries.set(row.id, tries);
    this.kernel.options.log.error({ err, realmId, scheduled: row.id, tries }, 'something due could not be delivered');
    if (tries < TRIES) return;
    this.tries.delete(row.id);
    if (row.isReminder) await this.reminders.giveUp(realmId, row.id, turn);
    else await this.messages.giveUp({ realmId, ...row }, turn);
  }
}
