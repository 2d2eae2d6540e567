import type { BatchWriter } from './batch-writer';

/** Connections beside that of a lane that are in use at once. Further batches wait for one of them. */
const MAX_RUNNING = 8;
/** Connections that stay open for the next use. */
const MAX_IDLE = 2;

/** Writes what delays a whole lane, on connections of its own. Each is opened when it is needed. */
export class SideWriters {
  private readonly idle: BatchWriter[] = [];
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly open: () => BatchWriter) {}

  async use(write: (writer: BatchWriter) => Promise<void>): Promise<void> {
    if (this.running >= MAX_RUNNING) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    const writer = this.idle.pop() ?? this.open();
    try {
      await write(writer);
    } finally {
      if (this.idle.length < MAX_IDLE) this.idle.push(writer);
      else await writer.close();
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  /** To be called when nothing is being written any more. */
  async close(): Promise<void> {
    await Promise.all(this.idle.map((writer) => writer.close()));
  }
}
