import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Append } from '../append/append';
import type { Locked, BatchPlan } from '../append/batch';
import type { PipelinedStatement } from '../statements/pipelined-batch';
import type { LaneConnection } from './lane-connection';
import type { LaneOptions } from './lane-options';
import { isHeavy } from '../append/batch-queue';
import { planBatch } from '../append/batch';
import { sendStatements } from '../statements/pipelined-batch';
import { inTurns } from '../../work/in-turns';
import { ensureCommitted, tookEffect } from './commit-outcome';
import type { Busy } from '../statements/head-locks';
import { COMMIT, commitPieces, lockAndRead } from '../statements/lane-statements';

/** How often a batch is tried again after a deadlock or a lost connection before its callers get the error. */
const MAX_TRIES = 5;
/** First pause before another try, doubled each time. */
const RETRY_MS = 25;

/** Receives, after a commit, the state that was read under the lock and the plan that was stored. */
export type OnRead = (locked: Locked, plan: BatchPlan) => void;

export interface Attempt {
  readonly busy: Busy;
  /** A statement that takes longer is cancelled, in ms. */
  readonly statementMs: number;
  /** Writes without reading first. Undefined when that is not possible. Receives the plan before it is sent. */
  readonly atOnce?: (client: Client, onSend: (plan: BatchPlan) => void) => Promise<BatchPlan | undefined>;
}

/** Writes batches on one connection: each of them in one transaction, exactly once. */
export class BatchWriter {
  constructor(
    private readonly options: LaneOptions,
    private readonly connection: LaneConnection,
    private readonly onRead: OnRead = () => undefined,
  ) {}

  /** However often it has to be tried. */
  async write(appends: readonly Append[], how: Attempt): Promise<BatchPlan> {
    for (let attempt = 1; ; attempt++) {
      let sent: BatchPlan | null = null;
      try {
        return await this.transaction(appends, how, (plan) => (sent = plan));
      } catch (error) {
        // An unfinished transaction must be ended before the next try, or its rows would commit with it.
        await this.connection.rollback();
        const lost = this.connection.unavailable(error);
        if (sent && lost && (await tookEffect(this.connection, sent))) return sent;
        if (attempt >= MAX_TRIES || !(lost || this.connection.worthRetrying(error))) throw error;
        this.options.log.warn({ err: error, attempt }, 'a batch is written again');
        await delay(RETRY_MS * 2 ** attempt);
      }
    }
  }

  /** Leaves no transaction open. */
  rollback(): Promise<void> {
    return this.connection.rollback();
  }

  /** The database is unavailable, so the error says nothing about the batch. */
  unavailable(error: unknown): boolean {
    return this.connection.unavailable(error);
  }

  /** The next batch opens another connection. */
  close(): Promise<void> {
    return this.connection.close();
  }

  /**
   * Sends what a batch writes, after `first`, with its COMMIT, in one packet. Fault tests, which interrupt between the
   * steps, send them one by one.
   */
  async commit(
    client: Client,
    first: readonly PipelinedStatement[],
    writes: readonly PipelinedStatement[],
  ): Promise<void> {
    const { step } = this.options;
    if (!step) {
      ensureCommitted(await sendStatements(client, [...first, ...writes, COMMIT]));
      return;
    }
    if (first.length > 0) {
      await sendStatements(client, first);
      await step('locked');
    }
    await step('write');
    await sendStatements(client, writes);
    await step('commit');
    ensureCommitted(await sendStatements(client, [COMMIT]));
  }

  private async transaction(
    appends: readonly Append[],
    how: Attempt,
    onSend: (plan: BatchPlan) => void,
  ): Promise<BatchPlan> {
    await this.options.step?.('begin');
    const client = await this.connection.client(how.statementMs);
    return (await how.atOnce?.(client, onSend)) ?? (await this.looking(client, appends, how.busy, onSend));
  }

  /** Two round trips: what is true under the lock, then the writes that follow from it. */
  private async looking(
    client: Client,
    appends: readonly Append[],
    busy: Busy,
    onSend: (plan: BatchPlan) => void,
  ): Promise<BatchPlan> {
    const { registry, inline, step } = this.options;
    const { locked, sideBySide } = await lockAndRead(client, appends, this.options, busy);
    await step?.('locked');
    const plan = planBatch(registry, appends, locked);
    const [missing] = plan.passedOver;
    if (missing && busy === 'wait') throw new Error(`realm ${missing.realmId} has no head`);
    if (plan.accepted.length === 0) {
      await this.connection.rollback();
      return plan;
    }
    const pieces = commitPieces(plan, inline, sideBySide);
    const writes: PipelinedStatement[] = [];
    if (!appends.some(isHeavy)) for (const piece of pieces) writes.push(...piece);
    else for await (const some of inTurns(pieces, 1)) writes.push(...some.flat());
    onSend(plan);
    await this.commit(client, [], writes);
    this.onRead(locked, plan);
    return plan;
  }
}
