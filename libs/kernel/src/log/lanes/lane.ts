import type { Client } from 'pg';
import type { Append, Appended } from '../append/append';
import type { AcceptedAppend, BatchPlan } from '../append/batch';
import type { LaneOptions } from './lane-options';
import type { WriteTrouble } from './write-trouble';
import { appended, eventsByRealm } from '../append/batch';
import { BatchQueue, isHeavy } from '../append/batch-queue';
import { BatchWriter } from './batch-writer';
import { Contention } from '../append/contention';
import { Overloaded, ShuttingDown, isAboutAll } from '../errors';
import { isCancelled, isLockTimeout, refusesWrites } from '../../database/sql-states';
import { LaneConnection, laneClient } from './lane-connection';
import { Patience, SLOW_IN_A_ROW } from './patience';
import { SideWriters } from './side-writers';
import { SingleTrips, WORTH_PLANNING_AHEAD } from './single-trips';

interface Waiting {
  readonly append: Append;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The one write path to the log: a connection that writes, in one transaction, all appends that waited during its last
 * commit. A conflict or a failure refuses its own append only. Only lanes write heads of realms. What delays all
 * others (heads that another session holds, appends of many rows, slow appends) is written on connections of its own.
 * Meanwhile nothing else of that realm is written.
 */
export class Lane {
  private readonly queue = new BatchQueue<Waiting>((waiting) => waiting.append);
  private readonly writer: BatchWriter;
  private readonly trips: SingleTrips<Waiting>;
  private readonly side: SideWriters;
  private readonly patience: Patience;
  private readonly contention = new Contention();
  private readonly beside = new Set<Promise<void>>();
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly options: LaneOptions,
    private readonly trouble: WriteTrouble,
  ) {
    const { log, connectionString, statementTimeoutMs } = options;
    const open = () => laneClient(connectionString, statementTimeoutMs);
    this.patience = new Patience(statementTimeoutMs);
    // Another server may answer now, of which this knowledge need not be true.
    const openMain = () => {
      this.trips.known.forgetAll();
      return open();
    };
    this.writer = new BatchWriter(options, new LaneConnection(openMain, log), (locked, plan) =>
      this.trips.known.learn(locked, plan),
    );
    this.trips = new SingleTrips(options, this.writer, this.queue);
    this.side = new SideWriters(() => new BatchWriter(options, new LaneConnection(open, log)));
  }

  /** Appends that wait now, a measure of the load. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @throws Conflict when a condition of the append no longer holds
   * @throws Overloaded when too much is waiting, this code may not write yet, the database refuses writes, or another
   *   session holds the realm for too long
   */
  append(append: Append): Promise<Appended> {
    if (this.closed) return Promise.reject(new ShuttingDown());
    return new Promise((resolve, reject) => {
      if (!this.queue.offer({ append, resolve, reject })) {
        reject(new Overloaded('too many writes are waiting'));
        return;
      }
      this.start();
      this.trips.planAheadSoon();
    });
  }

  /** Writes the waiting appends, then ends the connections. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.running || this.beside.size > 0) await Promise.all([this.running, ...this.beside]);
    await this.writer.close();
    await this.side.close();
  }

  private start(): void {
    if (this.queue.ready === 0) return;
    this.running ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.drain())
      .finally(() => {
        this.running = null;
        this.start();
      });
  }

  private async drain(): Promise<void> {
    // Many callers that wait for the same batch would return together each time. Half of them are written first.
    const { ready } = this.queue;
    const inHalves = ready >= 2 * WORTH_PLANNING_AHEAD && !this.contention.isHigh;
    let batch = this.queue.take(inHalves ? Math.ceil(ready / 2) : ready);
    for (; batch.length > 0; batch = this.trips.takeAhead() ?? (await this.next())) {
      if (batch.some(({ append }) => isHeavy(append))) this.writeBeside(batch);
      else await this.process(batch);
    }
  }

  private async next(): Promise<Waiting[]> {
    // If each batch has to wait for its turn, the callers of the last one join this one.
    if (this.contention.isHigh) await new Promise<void>((resolve) => setImmediate(resolve));
    return this.queue.take();
  }

  /**
   * One batch. After a failure that is not the connection's, its halves, so that the failing append is refused alone.
   */
  private async process(batch: readonly Waiting[], statementMs = this.patience.ms): Promise<void> {
    const waitsFor = this.contention.waitsFor(appendsOf(batch));
    let plan: BatchPlan;
    try {
      const atOnce = (client: Client, onSend: (plan: BatchPlan) => void) => this.trips.write(client, batch, onSend);
      const how = waitsFor === null ? { busy: 'pass over' as const, atOnce } : { busy: waitsFor };
      plan = await this.writer.write(appendsOf(batch), { statementMs, ...how });
    } catch (error) {
      if (waitsFor !== null && isLockTimeout(error)) {
        this.queue.putBack(batch);
        this.writeBeside(this.queue.takeRealm(waitsFor));
        return;
      }
      await this.failed(batch, error);
      return;
    }
    this.patience.calm();
    await this.settle(batch, plan);
  }

  private async failed(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (await this.refused(this.writer, batch, error)) return;
    if (batch.length === 1) {
      if (isCancelled(error)) this.writeBeside(batch);
      else for (const { reject } of batch) reject(error as Error);
      return;
    }
    await this.trips.withoutPlanning(async () => {
      if (isCancelled(error)) {
        await this.processSingly(batch);
        return;
      }
      const half = batch.length >> 1;
      await this.process(batch.slice(0, half));
      // The first half may have left a realm to a connection of its own. That realm is written only there.
      const isHeld = ({ append }: Waiting) => this.queue.isHeld(append.realmId);
      const second = batch.slice(half);
      this.queue.putBack(second.filter(isHeld));
      const free = second.filter((one) => !isHeld(one));
      if (free.length > 0) await this.process(free);
    });
  }

  /**
   * One after the other, each with little time. An append that needs more gets it on a connection of its own. If hardly
   * any succeeds, PostgreSQL is slow and no append is: the rest waits for a batch that has more time.
   */
  private async processSingly(batch: readonly Waiting[]): Promise<void> {
    const held: Waiting[] = [];
    let slow = 0;
    for (const [n, one] of batch.entries()) {
      if (slow === SLOW_IN_A_ROW) {
        this.patience.grow();
        held.push(...batch.slice(n));
        break;
      }
      const { realmId } = one.append;
      if (this.queue.isHeld(realmId)) {
        held.push(one);
        continue;
      }
      await this.process([one], this.patience.aloneMs);
      slow = this.queue.isHeld(realmId) ? slow + 1 : 0;
    }
    this.queue.putBack(held);
  }

  /** Whether the error was not caused by an append. If so, all callers have received it. */
  private async refused(writer: BatchWriter, batch: readonly Waiting[], error: unknown): Promise<boolean> {
    let refusal = error as Error;
    if (refusesWrites(error)) {
      refusal = new Overloaded(this.trouble.refused(error), { cause: error });
      // Another server may have become the primary.
      await writer.close();
    } else if (isLockTimeout(error)) {
      refusal = new Overloaded('somebody else holds what this writes to; please try again', { cause: error });
    } else if (!isAboutAll(error) && !writer.unavailable(error)) {
      return false;
    }
    for (const { reject } of batch) reject(refusal);
    return true;
  }

  /** Writes appends of one realm on a connection of their own, with the longest time limit. */
  private writeBeside(batch: readonly Waiting[]): void {
    const [first] = batch;
    if (!first) return;
    const { realmId } = first.append;
    this.queue.hold(realmId);
    const done = this.side
      .use((writer) => this.processBeside(writer, batch))
      .finally(() => {
        this.beside.delete(done);
        this.trips.known.forget(appendsOf(batch));
        this.queue.free(realmId);
        this.start();
      });
    this.beside.add(done);
  }

  private async processBeside(writer: BatchWriter, batch: readonly Waiting[]): Promise<void> {
    let plan: BatchPlan;
    try {
      plan = await writer.write(appendsOf(batch), { busy: 'wait', statementMs: this.patience.mostMs });
    } catch (error) {
      if (await this.refused(writer, batch, error)) return;
      const reason = isCancelled(error) ? new Overloaded('this took longer than it may', { cause: error }) : error;
      if (batch.length === 1) for (const { reject } of batch) reject(reason as Error);
      else for (const one of batch) await this.processBeside(writer, [one]);
      return;
    }
    await this.settle(batch, plan);
  }

  /** From here on the batch is stored: a later failure must not look like a failure to write it. */
  private async settle(batch: readonly Waiting[], plan: BatchPlan): Promise<void> {
    this.trouble.over();
    await this.options.step?.('committed');
    const accepted = new Map<Append, AcceptedAppend>(plan.accepted.map((one) => [one.append, one]));
    this.announce(plan);
    const again = new Set([...plan.postponed, ...plan.passedOver]);
    if (again.size > 0) this.queue.putBack(batch.filter((waiting) => again.has(waiting.append)));
    this.contention.note(plan);
    const [busy] = plan.passedOver;
    // There is nothing else to do.
    if (busy && batch.every(({ append }) => append.realmId === busy.realmId))
      this.writeBeside(this.queue.takeRealm(busy.realmId));
    const settle = () => {
      for (const { append, resolve, reject } of batch) {
        const done = accepted.get(append);
        const conflict = plan.refused.get(append);
        if (done) resolve(appended(done));
        else if (conflict) reject(conflict);
      }
    };
    if (this.queue.ready === 0 && !this.trips.hasAhead) {
      settle();
      return;
    }
    // Waiting appends are sent first: PostgreSQL works on them while these callers continue.
    setImmediate(settle);
  }

  private announce(plan: BatchPlan): void {
    for (const [realmId, events] of eventsByRealm(plan)) {
      try {
        this.options.onCommitted(realmId, events);
      } catch (error) {
        // The events are committed even if a listener fails. Its own read of the heads finds them again.
        this.options.log.error({ err: error, realmId }, 'a listener failed on committed events');
      }
    }
  }
}

const appendsOf = (batch: readonly Waiting[]): Append[] => batch.map(({ append }) => append);
