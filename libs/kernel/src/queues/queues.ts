import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode } from 'bullmq';
import type { Logger } from 'pino';
import type { Instant } from '../domain/index';
import type { AddOptions, FailedJob, JobData, JobHandler, QueueCounts } from './job';
import type { BullQueue, BullWorker, QueueStore } from './queue-store';
import { LatestPerKey } from './latest-per-key';
import { QueuesUnavailable } from './queues-unavailable';

export interface QueuesOptions {
  readonly log: Logger;
  /**
   * For metrics: a job or wake-up `missed` its queue, or its caller continued before the result was known (`late`), or
   * a job has `failed` for good.
   */
  readonly count?: ((what: 'missed' | 'late' | 'failed', queue: string) => void) | undefined;
  /** The longest delay of a caller that adds a job, in milliseconds. Left out: 40. */
  readonly addMs?: number | undefined;
  /** Failed jobs that each queue keeps for `failed` and `retry`. The oldest are deleted. Left out: 1,000. */
  readonly keepFailed?: number | undefined;
  /** How long `close` waits for the running jobs, in milliseconds. */
  readonly drainMs?: number | undefined;
}

const ADD_MS = 40;
/** A wake-up job repeats what a notice has said at once, so a busy realm need not add it more often. */
const WAKE_PAUSE_MS = 50;
/** Most adds without an answer. Beyond it new ones are missed, so a store that does not answer costs no memory. */
const MAX_PENDING = 1_000;
const ATTEMPTS = 5;
const FIRST_RETRY_MS = 1_000;
const RESTART_MS = 500;
const DRAIN_MS = 30_000;
const KEEP_FAILED = 1_000;
/** Running jobs that are read to find the oldest. Workers have far fewer. */
const RUNNING = 100;

/**
 * Job queues that only wake. PostgreSQL has what is due, and a sweep finds it without any job. So a job may be lost,
 * late or run twice, and an add that fails does no harm.
 */
export class Queues {
  private readonly queues = new Map<string, BullQueue>();
  private readonly workers = new Map<string, BullWorker>();
  private readonly wakes = new LatestPerKey(WAKE_PAUSE_MS);
  /** Queues whose trouble with their store is in the log. */
  private readonly inTrouble = new Set<string>();
  private readonly log: Logger;
  private readonly keepFailed: number;
  private pending = 0;
  private closing: Promise<void> | null = null;

  constructor(
    private readonly store: QueueStore,
    private readonly options: QueuesOptions,
  ) {
    this.log = options.log;
    this.keepFailed = options.keepFailed ?? KEEP_FAILED;
  }

  /** BullMQ's own queue, for administration. @throws Error for a name with a colon */
  queue(name: string): BullQueue {
    const known = this.queues.get(name);
    if (known) return known;
    const queue = this.store.queue(name);
    this.queues.set(name, queue);
    queue.on('error', (error) => this.troubled(name, error));
    // BullMQ never retries the first connection of a queue. The next caller gets a new queue.
    queue.waitUntilReady().catch((error: unknown) => {
      this.troubled(name, error);
      this.queues.delete(name);
    });
    return queue;
  }

  /**
   * Works on a queue in this process until `close`. @param options.concurrency jobs at a time (1 on PostgreSQL)
   * @throws Error when this process works on it already
   */
  work(name: string, handler: JobHandler, { concurrency = 1 }: { readonly concurrency?: number } = {}): void {
    if (this.workers.has(name)) throw new Error(`this process works on the queue "${name}" already`);
    const worker = this.store.worker(
      name,
      (job) => handler({ id: job.id ?? '', data: job.data, attempt: job.attemptsMade + 1 }),
      concurrency,
    );
    this.workers.set(name, worker);
    worker.on('error', (error) => this.troubled(name, error));
    worker.on('active', () => this.inTrouble.delete(name));
    worker.on('failed', (job, error) => {
      const final = !job || job.attemptsMade >= (job.opts.attempts ?? 1);
      this.log[final ? 'error' : 'warn']({ err: error, queue: name, job: job?.id, final }, 'a job failed');
      if (final) this.options.count?.('failed', name);
    });
    worker.waitUntilReady().catch(async (error: unknown) => {
      this.troubled(name, error);
      await Promise.all([worker.close(), delay(RESTART_MS)]);
      this.workers.delete(name);
      if (!this.closing) this.work(name, handler, { concurrency });
    });
  }

  /**
   * Requests a run of the queue's handler for `key`, for example a realm, after now. A current run is followed by
   * another one. A run that has not begun is enough for any number of requests. Takes less than 50 ms and never fails.
   *
   * @returns false when it was missed, or is not known in time
   */
  wake(name: string, key: string | number, position: number): Promise<boolean> {
    return this.wakes.offer(`${name}:${key}`, position, (highest) =>
      this.offer(name, (queue) =>
        queue.add(
          'wake',
          { key, position: highest },
          {
            deduplication: { id: String(key), keepLastIfActive: true },
            // A new request must not wait for the retry of a failed run. The sweep is the retry.
            attempts: 1,
            removeOnComplete: true,
            removeOnFail: true,
          },
        ),
      ),
    );
  }

  /**
   * Adds a job, once per id while it is stored. Takes less than 50 ms and fails only for an id that no queue accepts.
   *
   * @param jobId derived from the fact that caused it
   * @returns false when it was missed, or is not known in time
   * @throws TypeError for an id with a colon or of digits only
   */
  async add(name: string, jobId: string, data: JobData, options: AddOptions = {}): Promise<boolean> {
    if (!/^(?!\d*$)[^:]+$/.test(jobId)) throw new TypeError(`"${jobId}" cannot be the id of a job`);
    return this.offer(name, (queue) =>
      queue.add('due', data, {
        jobId,
        delay: Math.max(0, options.delay ?? 0),
        attempts: options.attempts ?? ATTEMPTS,
        backoff: { type: 'exponential', delay: FIRST_RETRY_MS },
        removeOnComplete: true,
        removeOnFail: this.keepFailed > 0 ? { count: this.keepFailed } : true,
      }),
    );
  }

  /**
   * Removes a job that has not begun. Takes less than 50 ms and never fails.
   *
   * @returns false when it was missed, or is not known in time
   */
  remove(name: string, jobId: string): Promise<boolean> {
    return this.offer(name, (queue) => queue.remove(jobId));
  }

  /** Waits until the store can be reached, after opening it. At most so many milliseconds. */
  whenReachable(ms: number): Promise<void> {
    return this.store.whenReachable(AbortSignal.timeout(ms));
  }

  /** @throws QueuesUnavailable */
  async counts(name: string): Promise<QueueCounts> {
    const counts = await this.ask(name, (queue) => queue.getJobCounts('waiting', 'delayed', 'active', 'failed'));
    const { waiting = 0, delayed = 0, active = 0, failed = 0 } = counts;
    return { waiting, delayed, active, failed };
  }

  /**
   * Age in milliseconds of the oldest job that waits or runs, from the time it was due. 0 if there is none. A job that
   * pauses after a failed attempt counts when it is tried again.
   *
   * @throws QueuesUnavailable
   */
  async oldestMs(name: string): Promise<number> {
    const first = await this.ask(name, (queue) =>
      Promise.all([this.store.oldestWaiting(queue), queue.getActive(0, RUNNING - 1)]),
    );
    const due = first.flat().map(({ timestamp, opts }) => timestamp + (opts.delay ?? 0));
    return Math.max(0, Date.now() - Math.min(Date.now(), ...due));
  }

  /** The jobs that failed last, newest first. @throws QueuesUnavailable */
  async failed(name: string, limit = 100): Promise<FailedJob[]> {
    const jobs = await this.ask(name, (queue) => queue.getFailed(0, limit - 1));
    return jobs.map((job) => ({
      id: job.id ?? '',
      data: job.data,
      attempts: job.attemptsMade,
      reason: job.failedReason,
      failedAt: (job.finishedOn ?? job.timestamp) as Instant,
    }));
  }

  /**
   * Runs a failed job again, with all its attempts.
   *
   * @returns false when there is none with this id
   * @throws QueuesUnavailable
   */
  retry(name: string, jobId: string): Promise<boolean> {
    return this.ask(name, async (queue) => {
      const job = await queue.getJob(jobId);
      if (!job || !(await job.isFailed())) return false;
      try {
        await job.retry('failed', { resetAttemptsMade: true });
      } catch (error) {
        if (NO_MORE_GIVEN_UP.includes((error as { code?: unknown }).code)) return false;
        throw error;
      }
      return true;
    });
  }

  /** Deletes all jobs of a queue, also running ones. The sweep finds what is due. @throws QueuesUnavailable */
  async clear(name: string): Promise<void> {
    await this.ask(name, (queue) => queue.obliterate({ force: true }));
  }

  /** Waits for the running jobs, then closes the connections. Jobs that are added from now on are lost. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    const patience = new AbortController();
    const late = new Promise<'late'>((resolve) => patience.signal.addEventListener('abort', () => resolve('late')));
    const timer = setTimeout(() => patience.abort(), this.options.drainMs ?? DRAIN_MS);
    try {
      if ((await Promise.race([this.store.close(patience.signal), late])) === 'late')
        this.log.warn('jobs were still under way when the queues closed; they run again elsewhere');
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask<T>(name: string, question: (queue: BullQueue) => Promise<T>): Promise<T> {
    if (!this.store.isReachable) throw new QueuesUnavailable();
    try {
      return await question(this.queue(name));
    } catch (error) {
      if (this.store.isDisconnection(error)) throw new QueuesUnavailable({ cause: error });
      throw error;
    }
  }

  private async offer(name: string, ask: (queue: BullQueue) => Promise<unknown>): Promise<boolean> {
    const queue = this.queue(name);
    if (this.closing || !this.store.isReachable || this.pending >= MAX_PENDING) return this.missed(name);
    this.pending += 1;
    const added = ask(queue).then(
      () => {
        this.inTrouble.delete(name);
        return true;
      },
      (error: unknown) => {
        this.troubled(name, error);
        return this.missed(name);
      },
    );
    return this.inTime(
      name,
      added.finally(() => (this.pending -= 1)),
    );
  }

  /** The result of an add, or false if it is not known in time. The add then continues and may succeed. */
  private async inTime(name: string, added: Promise<boolean>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        this.options.count?.('late', name);
        resolve(false);
      }, this.options.addMs ?? ADD_MS);
    });
    const known = await Promise.race([added, late]);
    clearTimeout(timer);
    return known;
  }

  private missed(name: string): false {
    this.options.count?.('missed', name);
    return false;
  }

  /** Logs a trouble once, until a command succeeds again. The connection logs that the store is unavailable. */
  private troubled(name: string, error: unknown): void {
    const isFirstTrouble = !this.inTrouble.has(name) && this.store.isReachable && !this.closing;
    if (isFirstTrouble) this.inTrouble.add(name);
    this.log[isFirstTrouble ? 'warn' : 'debug']({ err: error, queue: name }, 'a queue has trouble with its store');
  }
}

/** Errors of BullMQ when another process was faster with a job: it may run, be done, or have failed once more. */
const NO_MORE_GIVEN_UP: readonly unknown[] = [ErrorCode.JobNotInState, ErrorCode.JobNotExist];
