import type { Instant, Position } from '@annals/kernel/domain';
import type { Cursor } from '../../domain/event-id';
import type { WireEvent } from '../../domain/flag-events';
import { mergeFlagEvents } from '../../domain/flag-events';
import type { ClientQueue } from '../../queues/client-queue';
import type { SignalCursor } from './signal-cursors';

/**
 * Why a stream ends, as its client receives it (docs/api/events.md): the queue no longer exists, a newer request reads the
 * queue, keys of the account were revoked, or the client has to continue in another process.
 */
export type StreamEnd = 'queue_gone' | 'replaced' | 'login_changed' | 'unavailable';

/** One GET /events that has no answer yet, or a part of a stream. */
export class Poll {
  readonly answered: Promise<readonly WireEvent[]>;
  /** How far it has received signals. Null until it waits. */
  signalCursor: SignalCursor | null = null;
  /** Set before its answer if a stream ends with it. */
  streamEnd: StreamEnd | null = null;
  private settle: { resolve(events: readonly WireEvent[]): void; reject(error: Error): void } | null = null;

  constructor(
    readonly queue: ClientQueue,
    /** Moves forward while no event is for the queue. */
    public cursor: Cursor,
    /** When it is answered with a heartbeat, or without an event if it is streamed. */
    readonly deadline: Instant,
    /** The position at which a poll that does not block is answered, with or without events; null for a poll that blocks. */
    readonly until: Position | null,
    /** A client of a stream may take some events of an answer and acknowledge them. */
    readonly isStreamed = false,
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

  /** Answers with events of the queue. A stream ends with them if keys of the account were revoked. */
  deliver({ events, keysEnded }: { readonly events: readonly WireEvent[]; readonly keysEnded: boolean }): void {
    if (keysEnded) this.streamEnd = 'login_changed';
    // The client of a stream may acknowledge an event between two merged ones, and would miss the earlier one.
    this.answer(this.isStreamed ? events : mergeFlagEvents(events));
  }

  refuse(error: Error): void {
    this.settle?.reject(error);
    this.settle = null;
  }
}
