import type { Instant, Position } from '@annals/kernel/domain';
import type { Cursor } from '../../domain/event-id';
import type { WireEvent } from '../../domain/flag-events';
import type { ClientQueue } from '../../queues/client-queue';
import type { Hearing } from './signal-cursors';

/** One GET /events that has no answer yet. */
export class Poll {
  readonly answered: Promise<readonly WireEvent[]>;
  /** What it has heard of signals; null until it waits. */
  hearing: Hearing | null = null;
  private settle: { resolve(events: readonly WireEvent[]): void; reject(error: Error): void } | null = null;

  constructor(
    readonly queue: ClientQueue,
    /** Where it stands; moves on while nothing is for its queue. */
    public cursor: Cursor,
    /** When it has waited long enough. */
    readonly deadline: Instant,
    /** Where it stops waiting and is answered, be it with nothing; null for a poll that hangs. */
    readonly until: Position | null,
  ) {
    this.answered = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
  }

  get isOpen(): boolean {
    return this.settle !== null;
  }

  answer(events: readonly WireEvent[]): void {
    this.settle?.resolve(events);
    this.settle = null;
  }

  refuse(error: Error): void {
    this.settle?.reject(error);
    this.settle = null;
  }
}
