import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Append, Appended } from './append';
import type { Placed, Plan } from './batch';
import type { BurstStatement } from './burst';
import type { LaneOptions } from './lane-options';
import { versionsOf } from '../projections/projection-store';
import { appended, eventsByRealm, planBatch } from './batch';
import { Overloaded, isAboutAll } from './errors';
import { BatchQueue } from './batch-queue';
import { LaneConnection, laneClient } from './lane-connection';
import { ensureCommitted, tookEffect } from './commit-outcome';
import type { Assumption } from './known-realms';
import { KnownRealms } from './known-realms';
import { COMMIT, assumedWrongly, commitStatements, ensure, lockAndRead } from './lane-statements';
import { send } from './burst';
import type { WriteTrouble } from './write-trouble';
import { refusesWrites } from './write-trouble';

interface Waiting {
  readonly append: Append;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/** What a batch sends if all that is known turns out to be true. */
interface Ready {
  readonly plan: Plan;
  readonly assumption: Assumption;
  readonly first: readonly BurstStatement[];
  readonly writes: readonly BurstStatement[];
}

/** Appends that must wait for the next batch to be planned while the one before it is on its way. */
const WORTH_PLANNING_AHEAD = 32;
/** How often a batch is tried again after a deadlock or a lost connection before its callers get the error. */
const MAX_TRIES = 5;
/** First pause before another try, doubled each time. */
const RETRY_MS = 25;

/**
 * The one write path to the log: a dedicated connection that writes, in one transaction, all appends that waited while
 * its last commit ran. A conflict or a failure refuses its own append only. Nothing but a lane writes heads of realms.
 */
export class Lane {
  private readonly queue = new BatchQueue<Waiting>((waiting) => waiting.append);
  private readonly connection: LaneConnection;
  private readonly known = new KnownRealms();
  private readonly live: string;
  /** A batch is on its way, and `known` is what will be true when it has been stored. */
  private expecting = false;
  /** The next batch, planned meanwhile. */
  private ahead: Waiting[] | null = null;
  private lookingAhead = false;
  private readonly planned = new WeakMap<readonly Waiting[], Ready>();
  private running: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly options: LaneOptions,
    private readonly trouble: WriteTrouble,
  ) {
    this.connection = new LaneConnection(() => this.connect(), options.log);
    this.live = JSON.stringify(versionsOf(options.inline));
  }

  /** Appends waiting now; a measure of pressure. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @throws Conflict when what the append rests on no longer holds
   * @throws Overloaded when too much is waiting, this code may not write yet, or the database refuses writes
   */
  append(append: Append): Promise<Appended> {
    if (this.closed) return Promise.reject(new Overloaded('the server is shutting down'));
    return new Promise((resolve, reject) => {
      if (!this.queue.offer({ append, resolve, reject })) {
        reject(new Overloaded('too many writes are waiting'));
        return;
      }
      this.start();
      this.lookAheadSoon();
    });
  }

  /** Writes what is waiting, then ends the connection. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.running) await this.running;
    await this.connection.close();
  }

  /** What was known may not be true of the server that answers now. */
  private connect(): Client {
    this.known.forgetAll();
    return laneClient(this.options.connectionString, this.options.statementTimeoutMs);
  }

  private start(): void {
    this.running ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.drain())
      .finally(() => {
        this.running = null;
        if (this.queue.size > 0) this.start();
      });
  }

  private async drain(): Promise<void> {
    // Many who come at once would always come at once, each time that all have been told: half of them go first.
    const { size } = this.queue;
    let batch = this.queue.take(size < 2 * WORTH_PLANNING_AHEAD ? size : Math.ceil(size / 2));
    for (; batch.length > 0; batch = this.next()) await this.process(batch);
  }

  private next(): Waiting[] {
    const batch = this.ahead ?? this.queue.take();
    this.ahead = null;
    return batch;
  }

  /** One batch; on a failure that is not the connection's, its halves, so that the culprit is refused alone. */
  private async process(batch: readonly Waiting[]): Promise<void> {
    let plan: Plan;
    try {
      plan = await this.write(batch);
    } catch (error) {
      if (refusesWrites(error)) {
        const refusal = new Overloaded(this.trouble.refused(error), { cause: error });
        for (const { reject } of batch) reject(refusal);
        // Another server may have become the one that takes writes.
        await this.connection.close();
        return;
      }
      if (batch.length === 1 || isAboutAll(error) || this.connection.unavailable(error)) {
        for (const { reject } of batch) reject(error as Error);
        return;
      }
      const half = batch.length >> 1;
      await this.process(batch.slice(0, half));
      await this.process(batch.slice(half));
      return;
    }
    this.trouble.over();
    // From here on the batch is stored: whatever fails now must not look like a failure to write it.
    await this.options.step?.('committed');
    this.settle(batch, plan);
  }

  /** Writes the batch exactly once, however often it has to be tried. */
  private async write(batch: readonly Waiting[]): Promise<Plan> {
    for (let attempt = 1; ; attempt++) {
      let sent: Plan | null = null;
      try {
        return await this.transaction(batch, (plan) => (sent = plan));
      } catch (error) {
        // A half-done transaction must be gone before anything is tried again, or its rows commit with the next one.
        await this.connection.rollback();
        const lost = this.connection.unavailable(error);
        if (sent && lost && (await tookEffect(this.connection, sent))) return sent;
        if (attempt >= MAX_TRIES || !(lost || this.connection.worthRetrying(error))) throw error;
        this.options.log.warn({ err: error, attempt }, 'a batch is written again');
        await delay(RETRY_MS * 2 ** attempt);
      }
    }
  }

  private async transaction(batch: readonly Waiting[], onSend: (plan: Plan) => void): Promise<Plan> {
    await this.options.step?.('begin');
    const client = await this.connection.client();
    return (await this.assuming(client, batch, onSend)) ?? (await this.looking(client, batch, onSend));
  }

  /** One round trip, which writes nothing when what was assumed is not true. Undefined when it has to be looked. */
  private async assuming(
    client: Client,
    batch: readonly Waiting[],
    onSend: (plan: Plan) => void,
  ): Promise<Plan | undefined> {
    const appends = appendsOf(batch);
    const ready = this.planned.get(batch) ?? this.prepare(appends);
    this.planned.delete(batch);
    if (!ready) return undefined;
    onSend(ready.plan);
    const stored = this.commit(client, ready.first, ready.writes);
    this.known.learn(ready.assumption.locked, ready.plan);
    this.expecting = true;
    this.lookAheadSoon();
    try {
      await stored;
      return ready.plan;
    } catch (error) {
      this.putBackWhatIsAhead();
      if (!assumedWrongly(error)) {
        this.known.doubt(appends);
        throw error;
      }
      this.known.forget(appends);
      await this.connection.rollback();
      return undefined;
    } finally {
      this.expecting = false;
    }
  }

  private prepare(appends: readonly Append[]): Ready | undefined {
    const { registry, inline, history } = this.options;
    const assumption = this.known.assume(appends);
    if (!assumption) return undefined;
    const plan = planBatch(registry, appends, assumption.locked);
    // Refusals are for those who have looked.
    if (plan.placed.length === 0) return undefined;
    const first = ensure(assumption, history.installation, this.live);
    return { plan, assumption, first, writes: commitStatements(plan, inline) };
  }

  private lookAheadSoon(): void {
    if (this.lookingAhead || !this.worthLookingAhead()) return;
    this.lookingAhead = true;
    setImmediate(() => {
      this.lookingAhead = false;
      this.lookAhead();
    });
  }

  private worthLookingAhead(): boolean {
    return this.expecting && !this.ahead && this.queue.size >= WORTH_PLANNING_AHEAD;
  }

  /** While PostgreSQL works on a batch, plans the next one on what will be true then. */
  private lookAhead(): void {
    if (!this.worthLookingAhead()) return;
    const batch = this.queue.take();
    try {
      const ready = this.prepare(appendsOf(batch));
      if (ready) {
        this.planned.set(batch, ready);
        this.ahead = batch;
        return;
      }
    } catch (error) {
      this.options.log.debug({ err: error }, 'a batch could not be planned ahead: whoever is to blame is found later');
    }
    this.queue.putBack(batch);
  }

  private putBackWhatIsAhead(): void {
    if (this.ahead) this.queue.putBack(this.ahead);
    this.ahead = null;
  }

  /** Two round trips: what is true under the lock, then what follows from it. */
  private async looking(client: Client, batch: readonly Waiting[], onSend: (plan: Plan) => void): Promise<Plan> {
    const { registry, inline, step } = this.options;
    const appends = appendsOf(batch);
    const locked = await lockAndRead(client, appends, this.options);
    await step?.('locked');
    const plan = planBatch(registry, appends, locked);
    if (plan.placed.length === 0) {
      await this.connection.rollback();
      return plan;
    }
    onSend(plan);
    await this.commit(client, [], commitStatements(plan, inline));
    this.known.learn(locked, plan);
    return plan;
  }

  /** Sends what a batch writes, after `first`, with its COMMIT: in one go, but for fault tests, which strike between. */
  private async commit(
    client: Client,
    first: readonly BurstStatement[],
    writes: readonly BurstStatement[],
  ): Promise<void> {
    const { step } = this.options;
    if (!step) {
      ensureCommitted(await send(client, [...first, ...writes, COMMIT]));
      return;
    }
    if (first.length > 0) {
      await send(client, first);
      await step('locked');
    }
    await step('write');
    await send(client, writes);
    await step('commit');
    ensureCommitted(await send(client, [COMMIT]));
  }

  private settle(batch: readonly Waiting[], plan: Plan): void {
    const placed = new Map<Append, Placed>(plan.placed.map((one) => [one.append, one]));
    this.announce(plan);
    const postponed = new Set(plan.postponed);
    this.queue.putBack(batch.filter((waiting) => postponed.has(waiting.append)));
    const tell = () => {
      for (const { append, resolve, reject } of batch) {
        const done = placed.get(append);
        const conflict = plan.refused.get(append);
        if (done) resolve(appended(done));
        else if (conflict) reject(conflict);
      }
    };
    if (this.queue.size === 0 && !this.ahead) {
      tell();
      return;
    }
    // What waits is sent first: PostgreSQL works on it while these callers go on.
    setImmediate(tell);
  }

  private announce(plan: Plan): void {
    for (const [realmId, events] of eventsByRealm(plan)) {
      try {
        this.options.onCommitted(realmId, events);
      } catch (error) {
        // The events are committed whatever a listener makes of them; its own look at the heads finds them again.
        this.options.log.error({ err: error, realmId }, 'a listener failed on committed events');
      }
    }
  }
}

const appendsOf = (batch: readonly Waiting[]): Append[] => batch.map(({ append }) => append);
