import { lastUsed } from '@annals/kernel';
import type { Instant } from '@annals/kernel/domain';

/** Most queues whose cursor a process remembers. */
const MAX_REMEMBERED = 100_000;

/** How far the poll of a queue has received the signals of this process, which are numbered 1, 2, 3 … */
export interface SignalCursor {
  /** The `last_event_id` of the request. */
  readonly requestedId: number;
  /** Signals up to this number are not for this poll. */
  readonly from: number;
  /** Nor are signals sent up to this time (ms), however late they arrive: the client may have received them elsewhere. */
  readonly since: number;
  /** Every signal for the queue up to this number was delivered. */
  deliveredThrough: number;
  /** The id of the last event in the answer; `requestedId` before there is one. */
  lastRepliedId: number;
}

/** A poll that begins. */
export interface PollStart {
  readonly queueId: string;
  /** The `last_event_id` of the request. */
  readonly requestedId: number;
  /** When the queue was registered, while its client has received nothing from any process; then null. */
  readonly freshSince: Instant | null;
  readonly at: Instant;
}

/**
 * Which signals a queue has still to receive when it polls this process again. A client that requests the last id of its
 * answer here has received that answer. A client that repeats its earlier id has not, and receives the signals again. Any
 * other id means that another process answered meanwhile: only signals sent from now on are delivered, so none is
 * delivered twice. A client that has received nothing from any process gets the signals sent since its registration.
 */
export class SignalCursors {
  private readonly last = lastUsed<SignalCursor>(MAX_REMEMBERED);

  /** @param signals the signals of this process; `sequence` is the number of the newest one */
  constructor(private readonly signals: { readonly sequence: number }) {}

  begin(poll: PollStart): SignalCursor {
    const { from, since } = this.resumePoint(poll);
    return this.note(poll.queueId, poll.requestedId, from, since);
  }

  /**
   * Called when the registration of a queue begins here. Signals that arrive from now on are for its first poll in this
   * process, whatever the clocks of their senders say.
   *
   * @returns to be called with the id of the queue and its first `last_event_id`
   */
  onRegister(): (queueId: string, requestedId: number) => void {
    const { sequence } = this.signals;
    return (queueId, requestedId) => void this.note(queueId, requestedId, sequence, 0);
  }

  /** Another process has a newer poll of the queue. */
  forget(queueId: string): void {
    this.last.delete(queueId);
  }

  private resumePoint({ queueId, requestedId, freshSince, at }: PollStart): Pick<SignalCursor, 'from' | 'since'> {
    const last = this.last.get(queueId);
    if (last?.lastRepliedId === requestedId) return { from: last.deliveredThrough, since: last.since };
    if (last?.requestedId === requestedId) return last;
    return freshSince === null ? { from: this.signals.sequence, since: at } : { from: 0, since: freshSince };
  }

  private note(queueId: string, requestedId: number, from: number, since: number): SignalCursor {
    const cursor = { requestedId, from, since, deliveredThrough: from, lastRepliedId: requestedId };
    this.last.set(queueId, cursor);
    return cursor;
  }
}
