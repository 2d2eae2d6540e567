import { Rejected } from '@annals/kernel/domain';
import type { Cursor } from '../../domain/event-id';
import type { WireEvent } from '../../domain/flag-events';
import type { ClientQueue } from '../../queues/client-queue';
import type { Poll, StreamEnd } from './poll';

/** What a stream needs of the dispatcher. */
interface StreamHome {
  /** Lets a poll wait that continues at a cursor. */
  wait(cursor: Cursor): Poll;
  /** The stream has ended. */
  closed(): void;
}

/**
 * One GET /events that is answered with a stream: polls of one queue, one after the other. The next poll begins when the
 * events of the one before are taken, so nothing is read for a client that does not read. Between two polls nothing is
 * read from the database, and other processes are not notified.
 */
export class QueueStream implements AsyncIterableIterator<readonly WireEvent[]> {
  private poll: Poll | null = null;
  private reason: StreamEnd | null = null;

  constructor(
    readonly queue: ClientQueue,
    private cursor: Cursor,
    private readonly home: StreamHome,
  ) {}

  /** Why it has ended. Null until then. */
  get end(): StreamEnd | null {
    return this.reason;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next events, at least one. */
  async next(): Promise<IteratorResult<readonly WireEvent[], undefined>> {
    while (this.reason === null) {
      const events = await this.wait();
      if (events.length > 0) return { done: false, value: events };
    }
    return { done: true, value: undefined };
  }

  /** Its reader wants no more. */
  async return(): Promise<IteratorResult<readonly WireEvent[], undefined>> {
    this.close('unavailable');
    return { done: true, value: undefined };
  }

  /** Ends it. A poll that waits is answered. */
  close(reason: StreamEnd): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.poll?.answer([]);
    this.home.closed();
  }

  private async wait(): Promise<readonly WireEvent[]> {
    try {
      const poll = (this.poll = this.home.wait(this.cursor));
      const events = await poll.answered;
      this.cursor = poll.cursor;
      if (poll.streamEnd !== null) this.close(poll.streamEnd);
      return events;
    } catch (error) {
      // The realm's feed has logged what it could not read.
      this.close(error instanceof Rejected ? 'queue_gone' : 'unavailable');
      return [];
    }
  }
}
