import type { Logger } from 'pino';
import type { Clock, Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../translation/client-event';
import type { ClientEvents, ClientEventPage, Stop } from './reading/client-events';
import { CatchingUp } from './reading/catching-up';
import type { SignalCursor, SignalCursors } from './polls/signal-cursors';
import type { SignalBuffer } from './polls/signal-buffer';
import type { LogPages } from './reading/log-pages';
import type { Poll } from './polls/poll';
import type { Presentation, Served, Waiting } from './presentation';
import type { Slots } from './reading/slots';
import { lastLoggedId, transientEventId } from '../domain/event-id';
import { reject } from '../domain/rejections';
import { Window } from './reading/window';

export interface RealmFeedParts {
  readonly pages: LogPages;
  readonly events: ClientEvents;
  readonly presentation: Presentation;
  /** These three are shared by all realms of a process. */
  readonly signals: SignalBuffer;
  readonly signalCursors: SignalCursors;
  /** Reads for queues that are far behind. */
  readonly slots: Slots;
  readonly clock: Clock;
  readonly log: Logger;
  /** A poll was answered, or skipped events that are not for its queue. */
  readonly onServed: (poll: Poll) => void;
}

/**
 * The polls of one realm that wait in this process. New client events are read once for all of them, and the newest
 * stay in memory for polls that return soon. A waiting poll costs nothing. Signals are delivered together with the log
 * around them, in the order in which everything happened.
 */
export class RealmFeed {
  readonly polls = new Map<string, Poll>();
  private readonly window: Window;
  /** Highest position that is known to be in the log. */
  private head: Position;
  /** Where the feed has to wait, though the log continues. */
  private stop: Stop | null = null;
  /** How often a checkpoint of the translation was received. */
  private checkpoints = 0;
  private pumping: Promise<void> | null = null;
  private isWanted = false;
  private readonly catchingUp: CatchingUp;
  private readError: Error | null = null;
  /** The event for which a stop was logged last. */
  private loggedStop: Position | null = null;

  /** @param head the newest event, or any before it that ends an append */
  constructor(
    readonly realmId: RealmId,
    head: Position,
    private readonly parts: RealmFeedParts,
  ) {
    this.window = new Window(head);
    this.head = head;
    this.catchingUp = new CatchingUp(realmId, parts, {
      window: this.window,
      checkpoints: () => this.checkpoints,
      serve: (polls, events, through) => this.serve(polls, events, through),
      areBeyond: (position) => this.areBeyond(position),
      logStop: (stop) => this.logStop(stop),
      goBackTo: (page, checkpoints) => this.goBackTo(page, checkpoints),
      arrived: () => this.pump(),
    });
  }

  /** Everything up to here is known. */
  get reached(): Position {
    return this.window.position;
  }

  /** Whether a worker has to translate before the feed can continue. */
  get isWaiting(): boolean {
    return this.stop !== null && !this.stop.error;
  }

  /** The event that cannot be translated, so that nothing after it is delivered. Null in normal operation. */
  get stoppedAt(): Position | null {
    return this.stop?.error ? this.stop.at : null;
  }

  /** Adds a waiting poll. An older one of the same queue is answered (contract/realtime.md section 1). */
  join(poll: Poll): void {
    this.polls.get(poll.queue.id)?.answer([]);
    this.polls.set(poll.queue.id, poll);
    poll.signalCursor = this.signalCursorOf(poll);
    void poll.answered.catch(() => undefined).then(() => this.leave(poll));
    if (poll.until !== null || this.hasNewEvents || this.isBehind(poll)) this.pump();
  }

  /** A signal has arrived. */
  signalReceived(): void {
    if (this.polls.size > 0) this.pump();
  }

  /** The client disconnected. */
  leave(poll: Poll): void {
    if (this.polls.get(poll.queue.id) === poll) this.polls.delete(poll.queue.id);
    poll.answer([]);
  }

  /** The log has reached a position, the end of an append. */
  headMoved(position: Position): void {
    if (position > this.head) this.head = position;
    if (this.polls.size > 0 && this.hasNewEvents) this.pump();
  }

  /** The checkpoint of the translation moved to a position, or back to it. */
  translationMoved(position: Position): void {
    this.checkpoints += 1;
    if (this.stop && !this.stop.error && position >= this.stop.at) this.resume();
  }

  /** Answers polls that have waited long enough with a heartbeat. A poll whose events cannot be read gets the error. */
  answerDue(now: number): void {
    for (const poll of this.polls.values()) {
      if (poll.deadline > now) continue;
      if (poll.until !== null) poll.answer([]);
      else if (poll.cursor.seen >= this.reached || this.catchingUp.isLeftToNewer(poll)) this.heartbeat(poll);
      else if (this.readError) poll.refuse(this.readError);
    }
    if (this.stop?.error) this.resume();
    else if (this.readError) this.pump();
  }

  /** A stream has heartbeats of its own. If this process cannot serve it further, its client continues elsewhere. */
  heartbeat(poll: Poll): void {
    if (poll.isStreamed) {
      if (this.stoppedAt !== null || this.catchingUp.isLeftToNewer(poll)) poll.streamEnd = 'unavailable';
      poll.answer([]);
      return;
    }
    const id = transientEventId(poll.cursor.id, poll.cursor.seen);
    poll.cursor = { id, seen: poll.cursor.seen };
    this.served(poll);
    poll.answer([{ type: 'heartbeat', id }]);
  }

  /** Resolves when no read is in progress. */
  async settled(): Promise<void> {
    while (this.pumping) await this.pumping;
  }

  private pump(): void {
    this.isWanted = true;
    this.pumping ??= this.pumpOn();
  }

  private async pumpOn(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      try {
        await this.run();
        this.readError = null;
      } catch (error) {
        this.parts.log.warn({ err: error, realm: this.realmId }, 'client events cannot be read; trying again');
        this.readError = error as Error;
      }
    }
    this.pumping = null;
  }

  private async run(): Promise<void> {
    const { window } = this;
    for (;;) {
      if (this.hasNewEvents) await this.readNew();
      const behind = [...this.polls.values()].filter((poll) => this.isBehind(poll));
      for (const poll of behind) if (poll.cursor.seen < window.from) this.catchingUp.begin(poll);
      const near = behind.filter((poll) => poll.cursor.seen >= window.from);
      if (near.length > 0) await this.serve(near, window.events, window.position);
      else if (!this.hasNewEvents) break;
    }
    this.answerUpToDatePolls();
  }

  private get hasNewEvents(): boolean {
    return this.head > this.reached && this.stop === null;
  }

  private resume(): void {
    this.stop = null;
    if (this.polls.size > 0) this.pump();
  }

  private signalCursorOf({ queue, cursor }: Poll): SignalCursor {
    const requestedId = cursor.id;
    const freshSince = requestedId === lastLoggedId(queue.registered) ? queue.registeredAt : null;
    return this.parts.signalCursors.begin({ queueId: queue.id, requestedId, freshSince, at: this.parts.clock.now() });
  }

  private served(poll: Poll): void {
    if (poll.signalCursor) poll.signalCursor.lastRepliedId = poll.cursor.id;
    this.parts.onServed(poll);
  }

  /** Answers the polls that do not wait for more events. */
  private answerUpToDatePolls(): void {
    for (const poll of this.polls.values()) if (this.isUpToDate(poll)) poll.answer([]);
  }

  /** Whether the poll has nothing to wait for. */
  private isUpToDate(poll: Poll): boolean {
    const { cursor, until } = poll;
    return until !== null && this.reached >= until && cursor.seen >= this.reached && !this.hasSignals(poll);
  }

  private isBehind(poll: Poll): boolean {
    if (!poll.isOpen || this.catchingUp.has(poll)) return false;
    return poll.cursor.seen < this.reached || this.hasSignals(poll);
  }

  private hasSignals(poll: Poll): boolean {
    return this.parts.signals.waitingFor(poll, this.reached).length > 0;
  }

  private async readNew(): Promise<void> {
    const { reached, checkpoints } = this;
    const page = await this.parts.events.newest(this.realmId, reached, this.head);
    // A poll that caught up found meanwhile that a crash took back what was read before.
    if (this.reached !== reached) return;
    this.window.add(page);
    if (page.stop) this.waitAt(page.stop, checkpoints);
  }

  /**
   * The rows of client events are not flushed to the disk on commit, so a crash of PostgreSQL may lose the last ones.
   * They are translated again. Until then the feed stays at the checkpoint of the translation.
   */
  private goBackTo({ through, stop }: ClientEventPage, checkpoints: number): void {
    this.window.goBackTo(through);
    if (stop) this.waitAt(stop, checkpoints);
  }

  /**
   * @param checkpoints number of checkpoints received before the read. If another one arrived since, it is worth
   *   reading again
   */
  private waitAt(stop: Stop, checkpoints: number): void {
    if (this.checkpoints !== checkpoints) return;
    this.stop = stop;
    this.logStop(stop);
  }

  private areBeyond(position: Position): boolean {
    return [...this.polls.values()].some(({ cursor }) => cursor.seen > position);
  }

  private logStop(stop: Stop): void {
    if (!stop.error || this.loggedStop === stop.at) return;
    this.loggedStop = stop.at;
    const where = { err: stop.error, realm: this.realmId, position: stop.at };
    this.parts.log.error(where, 'an event cannot be translated: polls receive nothing after it');
  }

  private async serve(polls: readonly Poll[], events: readonly StoredClientEvent[], through: Position): Promise<void> {
    const from = polls.reduce((least, poll) => Math.min(least, poll.cursor.seen), Infinity);
    const after = events.filter((event) => event.position > from);
    const waiting = polls.map((poll) => {
      const signals = this.parts.signals.waitingFor(poll, through);
      return { poll, queue: poll.queue, cursor: poll.cursor, isStreamed: poll.isStreamed, signals };
    });
    const served = await this.present(after, through, waiting);
    waiting.forEach(({ poll, signals }, index) => {
      const result = served[index];
      if (!poll.isOpen || !result) return;
      if (result === 'lost') {
        poll.refuse(reject.badQueueId(poll.queue.id));
        return;
      }
      poll.cursor = result.cursor;
      const delivered = signals[result.signals - 1];
      if (poll.signalCursor && delivered) poll.signalCursor.deliveredThrough = delivered.sequence;
      this.served(poll);
      if (result.events.length > 0 || result.ends) poll.deliver(result);
    });
  }

  /** Signals that cannot be written are dropped. The events are tried again without them, since the log continues. */
  private async present(
    events: readonly StoredClientEvent[],
    through: Position,
    waiting: readonly Waiting[],
  ): Promise<readonly Served[]> {
    const { presentation, signals, log } = this.parts;
    try {
      return await presentation.serve(this.realmId, events, through, waiting);
    } catch (error) {
      if (waiting.every((each) => each.signals.length === 0)) throw error;
      log.warn({ err: error, realm: this.realmId }, 'signals cannot be written and are lost');
      signals.drop(this.realmId);
      return [];
    }
  }
}
