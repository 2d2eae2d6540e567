import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createRedisBackend, withBackend } from 'bullmq';
import type { BullQueue, BullWorker, ProcessJob, QueueStore } from './queue-store';
import { connectRedis } from './redis-connection';
import { WORKER_OPTIONS } from './queue-store';

export interface RedisStoreOptions {
  readonly url: string;
  /** First part of every key. */
  readonly prefix: string;
  readonly log: Logger;
}

const { Queue, Worker } = withBackend(createRedisBackend);

/**
 * Time in seconds after which a worker without a job asks again, less than the time-out of the connection. A new job
 * ends the wait. If Redis has lost the sign of it, the looks of each second find the work.
 */
const IDLE_SECONDS = 10;

/** Messages of ioredis for a command on a connection that broke. They have no code. */
const DISCONNECTIONS: readonly string[] = [
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
];

/**
 * Jobs in Redis. One connection is for requests and adds, and fails at once while Redis is unavailable. One is for all
 * workers, and waits for Redis. Each worker has one more, which blocks until there is a job.
 */
export class RedisStore implements QueueStore {
  private readonly stop = new AbortController();
  private readonly requests: Redis;
  /** The connection that workers share, then the one on which each of them blocks. */
  private readonly waiting: Redis[] = [];
  private readonly opened: { close(): Promise<void> }[] = [];

  constructor(private readonly options: RedisStoreOptions) {
    this.requests = connectRedis(options.url, 'request', options.log);
  }

  get isReachable(): boolean {
    return this.requests.status === 'ready';
  }

  isDisconnection(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    return error.name === 'MaxRetriesPerRequestError' || DISCONNECTIONS.includes(error.message);
  }

  async whenReachable(patience: AbortSignal): Promise<void> {
    if (!this.isReachable) await once(this.requests, 'ready', { signal: patience }).catch(() => undefined);
  }

  queue(name: string): BullQueue {
    // The check of the version is a command at the start. If it failed, the queue would remain unusable.
    const options = { connection: this.requests, prefix: this.options.prefix, skipVersionCheck: true };
    const queue = new Queue(name, options) as unknown as BullQueue;
    this.opened.push(queue);
    return queue;
  }

  oldestWaiting(queue: BullQueue) {
    return queue.getWaiting(0, 0);
  }

  worker(name: string, process: ProcessJob, concurrency: number): BullWorker {
    const connection = this.waiting[0] ?? this.connectWorkers();
    const options = {
      ...WORKER_OPTIONS,
      drainDelay: IDLE_SECONDS,
      connection,
      prefix: this.options.prefix,
      concurrency,
    };
    const worker = new Worker(name, process, options) as unknown as BullWorker;
    this.opened.push(worker);
    return worker;
  }

  async close(patience: AbortSignal): Promise<void> {
    patience.addEventListener('abort', () => this.disconnect());
    // A connection of ioredis never ends if it is disconnected in the pause between two tries, and BullMQ would wait
    // for that end. So each connection first becomes ready or stops trying.
    this.stop.abort();
    await Promise.all(this.waiting.map(isUpOrEnded));
    await Promise.all(this.opened.map((each) => each.close()));
    this.disconnect();
  }

  private disconnect(): void {
    for (const redis of [this.requests, ...this.waiting]) redis.disconnect();
  }

  private connectWorkers(): Redis {
    const shared = connectRedis(this.options.url, 'worker', this.options.log, this.stop.signal);
    const duplicate = shared.duplicate.bind(shared);
    shared.duplicate = (override) => {
      const copy = duplicate(override);
      this.waiting.push(copy);
      return copy;
    };
    this.waiting.push(shared);
    return shared;
  }
}

async function isUpOrEnded(redis: Redis): Promise<void> {
  if (redis.status === 'ready' || redis.status === 'end') return;
  await new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('end', resolve);
  });
}
