import type { PgPool } from 'bullmq';
import type { Logger } from 'pino';
import { createPostgresBackend, runMigrations, withBackend } from 'bullmq';
import { Client, Pool } from 'pg';
import type { BullQueue, BullWorker, ProcessJob, QueueStore } from './queue-store';
import { WORKER_OPTIONS } from './queue-store';

export interface PostgresStoreOptions {
  readonly connectionString: string;
  readonly log: Logger;
}

const SCHEMA = 'bullmq';
/** Connections for statements. Every worker has one more, on which it listens. */
const STATEMENT_CONNECTIONS = 4;
/** Jobs that are read to find the oldest. */
const OLDEST = 50;
/** A server that does not answer for so long counts as unavailable. */
const ANSWER_MS = 10_000;
const CONNECT_MS = 2_000;

const { Queue, Worker } = withBackend(createPostgresBackend);

/**
 * Jobs in PostgreSQL, for a machine without Redis: enough for wake-ups, not for heavy load. A worker runs one job at a
 * time, and only the newest failed jobs are kept: with more at a time and a large table of jobs, deadlocks and delays
 * of seconds were seen.
 */
export class PostgresStore implements QueueStore {
  readonly isReachable = true;

  isDisconnection(): boolean {
    return false; // its errors are those of every statement
  }

  async whenReachable(): Promise<void> {
    // It was opened by a connection that works; there is nothing to wait for.
  }

  private readonly pool: Pool;
  private readonly opened: { close(): Promise<void> }[] = [];

  private constructor({ connectionString }: PostgresStoreOptions) {
    this.pool = new Pool({
      connectionString,
      // Jobs may be lost: the commit does not wait for the disk.
      options: `-c synchronous_commit=off -c search_path=${SCHEMA}`,
      application_name: 'annals-queues',
      max: STATEMENT_CONNECTIONS,
      // A new connection takes 20 ms and more until BullMQ's functions are compiled in it.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    // Each queue and each worker also listens for errors and reports them. This listener is the first, and removes what
    // pg attaches to an error: the whole client with its keys, which must not be in a log.
    this.pool.setMaxListeners(0);
    this.pool.on('error', (error) => Reflect.deleteProperty(error, 'client'));
    // A connection that breaks between two statements of a caller fails the next one. Unheard, it would end the process.
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** Brings BullMQ's tables up to date first. @throws Error when PostgreSQL cannot be reached */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const client = new Client({ connectionString: options.connectionString, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', (error) => options.log.warn({ err: error }, 'the connection that prepares the queues broke'));
    await client.connect();
    try {
      await runMigrations(client, SCHEMA);
    } finally {
      await client.end();
    }
    return new PostgresStore(options);
  }

  queue(name: string): BullQueue {
    const queue = new Queue(name, { connection: this.shared }) as unknown as BullQueue;
    this.opened.push(queue);
    return queue;
  }

  /** Relative to the newest job here, whatever is requested. Some may be taken between the two reads. */
  async oldestWaiting(queue: BullQueue) {
    const waiting = await queue.getJobCountByTypes('waiting');
    return queue.getWaiting(Math.max(0, waiting - OLDEST), waiting + OLDEST);
  }

  worker(name: string, process: ProcessJob): BullWorker {
    this.pool.options.max += 1;
    const worker = new Worker(name, process, { ...WORKER_OPTIONS, connection: this.shared, concurrency: 1 });
    const opened = worker as unknown as BullWorker;
    this.opened.push(opened);
    return opened;
  }

  /** One pool for all queues and workers, with the types of BullMQ. */
  private get shared(): PgPool {
    return this.pool as unknown as PgPool;
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((each) => each.close()));
    await this.pool.end();
  }
}
