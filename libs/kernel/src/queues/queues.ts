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
   * Feeds the metrics: a job or wake-up `missed` its queue, or its caller went on before it was known (`late`), or a
   * job has `failed` for good.
   */
  readonly count?: ((what: 'missed' | 'late' | 'failed', queue: string) => void) | undefined;
  /** The longest that adding a job holds up its caller, in milliseconds; left out: 40. */
  readonly addMs?: number | undefined;
  /** Jobs given up that each queue keeps for `failed` and `retry`, the oldest go; left out: 1,000. */
  readonly keepFailed?: number | undefined;
  /** How long `close` waits for the jobs under way, in milliseconds. */
  readonly drainMs?: number | undefined;
}

const ADD_MS = 40;
/** A wake-up job is the second way to say what a notice says at once, so a busy realm need not repeat it more often. */
const WAKE_PAUSE_MS = 50;
/** Adds without an answer; beyond it new ones are missed, so a store that hangs costs no memory. */
const MAX_PENDING = 1_000;
const ATTEMPTS = 5;
const FIRST_RETRY_MS = 1_000;
const RESTART_MS = 500;
const DRAIN_MS = 30_000;
const KEEP_FAILED = 1_000;
/** Jobs under way that are looked at for the oldest; workers have far fewer. */
const RUNNING = 100;

/**
 * Job queues that only wake. What is due is known by PostgreSQL and a sweep finds it without any job, so a job may be
 * lost, come late or run twice, and an add that fails harms nobody.
 */
export class Queues {
  private readonly queues = new Map<string, BullQueue>();
  private readonly workers = new Map<string, BullWorker>();
  private readonly wakes = new LatestPerKey(WAKE_PAUSE_MS);
  /** Queues of which the log knows that they have trouble with their store. */
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
    // BullMQ never tries the first connection of a queue again; the next caller gets a new queue.
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
   * Asks for a run of the queue's handler for `key` (a realm, say) after now: a run that is under way is followed by
   * another, one that has not begun is enough, however often it is asked for. Takes less than 50 ms and never fails.
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
            // Whoever asks again must not wait for the retry of a run that failed; the sweep is the retry.
            attempts: 1,
            removeOnComplete: true,
            removeOnFail: true,
          },
        ),
      ),
    );
  }

  /**
   * Adds a job, once per id while it is kept. Takes less than 50 ms and fails only for an id that no queue takes.
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
   * Takes a job back that has not begun. Takes less than 50 ms and never fails.
   *
   * @returns false when it was missed, or is not known in time
   */
  remove(name: string, jobId: string): Promise<boolean> {
    return this.offer(name, (queue) => queue.remove(jobId));
  }

  /** Waits until the store can be reached, for those who have just opened it; at most so many milliseconds. */
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
   * Age in milliseconds of the oldest job that waits or runs, from the time it was due; 0 when there is none.
   * What pauses after a failed attempt comes in when it is tried again.
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

  /** The jobs given up last, newest first. @throws QueuesUnavailable */
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
   * Runs a job that was given up again, with all its attempts.
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

  /**
   * Throws all jobs of a queue away, those under way included; what is due is found by the sweep.
   * @throws QueuesUnavailable
   */
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

  /** What became of an add, or false when that is not known in time; it goes on then, and may well succeed. */
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

  /** Tells the log once, until something goes well again; the connection has told it already when the store is away. */
  private troubled(name: string, error: unknown): void {
    const isNews = !this.inTrouble.has(name) && this.store.isReachable && !this.closing;
    if (isNews) this.inTrouble.add(name);
    this.log[isNews ? 'warn' : 'debug']({ err: error, queue: name }, 'a queue has trouble with its store');
  }
}

/** What BullMQ says of a job that somebody else was faster with: by now it may run, be done, or be given up once more. */
const NO_MORE_GIVEN_UP: readonly unknown[] = [ErrorCode.JobNotInState, ErrorCode.JobNotExist];
