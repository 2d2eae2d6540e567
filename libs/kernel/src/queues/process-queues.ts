import type { QueueDeclaration } from './queue-declaration';
import type { QueueFigures, QueueFiguresDeps, QueueReport } from './queue-figures';
import type { Queues } from './queues';
import { queueFigures, queueReports } from './queue-figures';

export interface ProcessQueuesDeps extends Pick<QueueFiguresDeps, 'pool' | 'clock'> {
  readonly open: () => Promise<Queues>;
}

/**
 * The job queues of this process. They are opened at the first use, so a process without jobs needs no connection for
 * them.
 */
export class ProcessQueues {
  private opening: Promise<Queues> | null = null;

  constructor(
    private readonly declarations: readonly QueueDeclaration[],
    private readonly deps: ProcessQueuesDeps,
  ) {}

  get names(): readonly string[] {
    return this.declarations.map(({ name }) => name);
  }

  /** @throws Error when the queues cannot be opened. The next call tries again */
  opened(): Promise<Queues> {
    if (this.opening) return this.opening;
    const opening = (this.opening = this.deps.open());
    opening.catch(() => (this.opening = null));
    return opening;
  }

  figures(): Promise<QueueFigures[]> {
    return queueFigures(this.figuresDeps());
  }

  reports(limit: number): Promise<QueueReport[]> {
    return queueReports(this.figuresDeps(), limit);
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => null);
    await opened?.close();
  }

  private figuresDeps(): QueueFiguresDeps {
    const { declarations, deps } = this;
    return { declarations, pool: deps.pool, clock: deps.clock, queues: () => this.opened() };
  }
}
