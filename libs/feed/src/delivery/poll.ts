import type { Instant } from '@annals/kernel/domain';
import type { Cursor } from '../domain/event-id';
import type { WireEvent } from '../domain/flag-events';
import type { ClientQueue } from '../queues/client-queue';

/** One GET /events that has no answer yet. */
export class Poll {
  readonly answered: Promise<readonly WireEvent[]>;
  private settle: { resolve(events: readonly WireEvent[]): void; reject(error: Error): void } | null = null;

  constructor(
    readonly queue: ClientQueue,
    /** Where it stands; moves on while nothing is for its queue. */
    public cursor: Cursor,
    /** Wants an answer at once, be it an empty one. */
    readonly dontBlock: boolean,
    /** When it gets a heartbeat. */
    readonly deadline: Instant,
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
