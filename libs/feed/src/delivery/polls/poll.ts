import type { Instant, Position } from '@annals/kernel/domain';
import type { Cursor } from '../../domain/event-id';
import type { WireEvent } from '../../domain/flag-events';
import type { ClientQueue } from '../../queues/client-queue';
import type { SignalCursor } from './signal-cursors';

/** One GET /events that has no answer yet. */
export class Poll {
  readonly answered: Promise<readonly WireEvent[]>;
  /** How far it has received signals. Null until it waits. */
  signalCursor: SignalCursor | null = null;
  private settle: { resolve(events: readonly WireEvent[]): void; reject(error: Error): void } | null = null;

  constructor(
    readonly queue: ClientQueue,
    /** Moves forward while no event is for the queue. */
    public cursor: Cursor,
    /** When it is answered with a heartbeat. */
    readonly deadline: Instant,
    /** The position at which a poll that does not block is answered, with or without events; null for a poll that blocks. */
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
