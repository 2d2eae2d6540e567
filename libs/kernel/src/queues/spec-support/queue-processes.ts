import { pino } from 'pino';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import { CallRecorder } from '../../../../../test/support/events/call-recorder';
import type { Job, JobHandler } from '../job';
import { openQueues } from '../open-queues';
import type { Queues, QueuesOptions } from '../queues';

const redisUrl = process.env['ANNALS_TEST_REDIS_URL'];

/** Stores for jobs on this machine. */
export const backends = redisUrl ? (['PostgreSQL', 'Redis'] as const) : (['PostgreSQL'] as const);

/** A handler that waits for `release` in each run. A run is counted when it begins. */
export class Gate {
  readonly runs = new CallRecorder<[Job]>();
  private readonly waiting: ((error?: Error) => void)[] = [];

  readonly handler: JobHandler = (job) =>
    new Promise((resolve, reject) => {
      this.waiting.push((error) => (error ? reject(error) : resolve()));
      this.runs.listener(job);
    });

  release(error?: Error): void {
    this.waiting.shift()?.(error);
  }
}

/** Processes with queues, for one spec file. Each of its tests has a queue of its own. */
export class QueueProcesses {
  /** Name of the queue of the current test. */
  queue = '';
  private readonly opened: Queues[] = [];
  private number = 0;

  private constructor(private readonly database: TestDatabase) {}

  static async prepare(): Promise<QueueProcesses> {
    return new QueueProcesses(await createTestDatabase());
  }

  begin(): void {
    this.queue = `queue-${++this.number}`;
  }

  async open(backend: string, options: Omit<QueuesOptions, 'log'> = {}): Promise<Queues> {
    const queues = await openQueues({
      databaseUrl: this.database.url,
      redisUrl: backend === 'Redis' ? redisUrl : undefined,
      prefix: `spec-${process.pid}`,
      // A result that would be late in service is awaited here.
      addMs: 20_000,
      log: pino({ level: 'silent' }),
      ...options,
    });
    this.opened.push(queues);
    // In service an add before the first connection is missed. Specs wait for the connection.
    await queues.queue(this.queue).waitUntilReady();
    return queues;
  }

  async end(): Promise<void> {
    await Promise.all(this.opened.splice(0).map((queues) => queues.close()));
  }

  drop(): Promise<void> {
    return this.database.drop();
  }
}
