import type { Client } from 'pg';
import type { Append } from '../append/append';
import type { BatchPlan } from '../append/batch';
import type { BatchQueue } from '../append/batch-queue';
import type { BatchWriter } from './batch-writer';
import type { PipelinedStatement } from '../statements/pipelined-batch';
import type { Assumption } from '../append/known-realms';
import type { LaneOptions } from './lane-options';
import { isHeavy } from '../append/batch-queue';
import { planBatch } from '../append/batch';
import { KnownRealms } from '../append/known-realms';
import { assumedWrongly, commitStatements, ensureHeads } from '../statements/lane-statements';

/** The statements of a batch whose assumptions are all true. */
interface Ready {
  readonly plan: BatchPlan;
  readonly assumption: Assumption;
  readonly first: readonly PipelinedStatement[];
  readonly writes: readonly PipelinedStatement[];
}

/** Appends that must wait for the next batch, which is planned while the one before it is sent. */
export const WORTH_PLANNING_AHEAD = 32;

/** Batches that a lane writes in one round trip, on the versions that it knows, and batches that it plans meanwhile. */
export class SingleTrips<Waiting extends { readonly append: Append }> {
  readonly known = new KnownRealms();
  /** A batch was sent, and `known` is what is true when it is stored. */
  private expecting = false;
  /** The next batch, planned meanwhile. */
  private ahead: Waiting[] | null = null;
  private readonly planned = new WeakMap<readonly Waiting[], Ready>();
  private planningSoon = false;
  /** Number of calls of `withoutPlanning` that have not ended. */
  private othersFirst = 0;

  constructor(
    private readonly options: LaneOptions,
    private readonly writer: BatchWriter,
    private readonly queue: BatchQueue<Waiting>,
  ) {}

  get hasAhead(): boolean {
    return this.ahead !== null;
  }

  /** The batch that was planned ahead, if any. */
  takeAhead(): Waiting[] | null {
    const { ahead } = this;
    this.ahead = null;
    return ahead;
  }

  /** Writes nothing when an assumption is not true. Undefined when the batch has to read first. */
  async write(
    client: Client,
    batch: readonly Waiting[],
    onSend: (plan: BatchPlan) => void,
  ): Promise<BatchPlan | undefined> {
    const appends = batch.map(({ append }) => append);
    const ready = this.planned.get(batch) ?? this.prepare(appends);
    this.planned.delete(batch);
    if (!ready) return undefined;
    onSend(ready.plan);
    const stored = this.writer.commit(client, ready.first, ready.writes);
    this.known.learn(ready.assumption.locked, ready.plan);
    this.expecting = true;
    this.planAheadSoon();
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
      await this.writer.rollback();
      return undefined;
    } finally {
      this.expecting = false;
    }
  }

  /** When enough appends wait while a batch is being stored, and those that arrive now have arrived. */
  planAheadSoon(): void {
    if (this.planningSoon || !this.isWorthIt()) return;
    this.planningSoon = true;
    setImmediate(() => {
      this.planningSoon = false;
      this.planAhead();
    });
  }

  /** Meanwhile nothing is planned ahead. */
  async withoutPlanning(work: () => Promise<void>): Promise<void> {
    this.othersFirst++;
    try {
      await work();
    } finally {
      this.othersFirst--;
    }
  }

  private isWorthIt(): boolean {
    return this.expecting && !this.ahead && !this.othersFirst && this.queue.ready >= WORTH_PLANNING_AHEAD;
  }

  /** While PostgreSQL works on a batch, plans the next one on the versions after it. */
  private planAhead(): void {
    if (!this.isWorthIt()) return;
    const batch = this.queue.take();
    try {
      // Appends that change many rows are written beside the lane, after a read.
      const appends = batch.map(({ append }) => append);
      const ready = appends.some(isHeavy) ? undefined : this.prepare(appends);
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

  private prepare(appends: readonly Append[]): Ready | undefined {
    const { registry, inline, history, models } = this.options;
    // Read models that are live beside another version have to be brought up to the head first.
    if (models.alone === null) return undefined;
    const assumption = this.known.assume(appends);
    if (!assumption) return undefined;
    const plan = planBatch(registry, appends, assumption.locked);
    // A refusal needs a read first.
    if (plan.accepted.length === 0) return undefined;
    const first = ensureHeads(assumption, history.installation, models.alone);
    return { plan, assumption, first, writes: commitStatements(plan, inline) };
  }

  private putBackWhatIsAhead(): void {
    if (this.ahead) this.queue.putBack(this.ahead);
    this.ahead = null;
  }
}
