import type { EventSupply, SentEvent } from '../src/answer/event-stream';

type Batch = readonly SentEvent[];

/** A source of a stream that gives what a spec tells it to give. */
export class ToyEvents implements EventSupply {
  readonly asker = 'spec';
  readonly batches: AsyncIterator<Batch, void>;
  /** How many batches were requested. */
  requested = 0;
  /** Whether the stream has ended it. */
  isReturned = false;
  private readonly ready: Batch[] = [];
  private isOver = false;
  private waiting: { resolve(result: IteratorResult<Batch, void>): void; reject(error: Error): void } | null = null;

  constructor() {
    this.batches = {
      next: () => this.next(),
      return: async () => {
        this.isReturned = true;
        return { done: true, value: undefined };
      },
    };
  }

  hasEnded(): boolean {
    return this.isOver;
  }

  give(batch: Batch): void {
    this.ready.push(batch);
    this.proceed();
  }

  end(): void {
    this.isOver = true;
    this.proceed();
  }

  fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
  }

  private next(): Promise<IteratorResult<Batch, void>> {
    this.requested += 1;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.proceed();
    });
  }

  private proceed(): void {
    const { waiting } = this;
    if (!waiting || (this.ready.length === 0 && !this.isOver)) return;
    this.waiting = null;
    const value = this.ready.shift();
    waiting.resolve(value ? { done: false, value } : { done: true, value: undefined });
  }
}
