import type { Logger } from 'pino';
import type { Clock, Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../translation/client-event';
import type { ClientEvents, Page, Stop } from './reading/client-events';
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
  /** A poll was answered, or looked at events that are not for its queue. */
  readonly onServed: (poll: Poll) => void;
}

/**
 * The polls of one realm that wait in this process. New client events are read once for all of them, and the latest stay
 * in memory for those who come back a moment later; a poll that waits costs nothing. Signals are told together with what
 * surrounds them in the log, so that they come in the order in which all of it happened.
 */
export class RealmFeed {
  readonly polls = new Map<string, Poll>();
  private readonly window: Window;
  /** Highest position that is known to be in the log. */
  private told: Position;
  /** Where it has to wait, though the log goes on. */
  private stop: Stop | null = null;
  /** How often it was told where the translation stands. */
  private checkpoints = 0;
  private pumping: Promise<void> | null = null;
  private isWanted = false;
  private readonly catchingUp: CatchingUp;
  private trouble: Error | null = null;
  /** Where what cannot be translated was logged. */
  private complainedOf: Position | null = null;

  /** @param head the newest event, or any before it that ends an append */
  constructor(
    readonly realmId: RealmId,
    head: Position,
    private readonly parts: RealmFeedParts,
  ) {
    this.window = new Window(head);
    this.told = head;
    this.catchingUp = new CatchingUp(realmId, parts, {
      window: this.window,
      checkpoints: () => this.checkpoints,
      serve: (polls, events, through) => this.serve(polls, events, through),
      areBeyond: (position) => this.areBeyond(position),
      complain: (stop) => this.complain(stop),
      goBackTo: (page, checkpoints) => this.goBackTo(page, checkpoints),
      arrived: () => this.pump(),
    });
  }

  /** Up to here everything is known. */
  get reached(): Position {
    return this.window.position;
  }

  /** Whether a worker has to translate before it can go on. */
  get isWaiting(): boolean {
    return this.stop !== null && !this.stop.error;
  }

  /** The event that cannot be translated, so that nothing after it is told; null while all is well. */
  get stoppedAt(): Position | null {
    return this.stop?.error ? this.stop.at : null;
  }

  /** Lets a poll wait; an older one of the same queue is ended (contract/realtime.md section 1). */
  join(poll: Poll): void {
    this.polls.get(poll.queue.id)?.answer([]);
    this.polls.set(poll.queue.id, poll);
    poll.signalCursor = this.hearingOf(poll);
    void poll.answered.catch(() => undefined).then(() => this.leave(poll));
    if (poll.until !== null || this.hasNews || this.isBehind(poll)) this.pump();
  }

  /** A signal has arrived. */
  hear(): void {
    if (this.polls.size > 0) this.pump();
  }

  /** The client went away. */
  leave(poll: Poll): void {
    if (this.polls.get(poll.queue.id) === poll) this.polls.delete(poll.queue.id);
    poll.answer([]);
  }

  /** The log has reached a position, the end of an append. */
  tell(position: Position): void {
    if (position > this.told) this.told = position;
    if (this.polls.size > 0 && this.hasNews) this.pump();
  }

  /** The translation of what is stored has reached a position, or was taken back to it. */
  tellTranslated(position: Position): void {
    this.checkpoints += 1;
    if (this.stop && !this.stop.error && position >= this.stop.at) this.goOn();
  }

  /** Answers polls that have waited long enough, by a heartbeat; one whose events cannot be read is told why. */
  beat(now: number): void {
    for (const poll of this.polls.values()) {
      if (poll.deadline > now) continue;
      if (poll.until !== null) poll.answer([]);
      else if (poll.cursor.seen >= this.reached || this.catchingUp.isLeftToNewer(poll)) this.heartbeat(poll);
      else if (this.trouble) poll.refuse(this.trouble);
    }
    if (this.stop?.error) this.goOn();
    else if (this.trouble) this.pump();
  }

  heartbeat(poll: Poll): void {
    const id = transientEventId(poll.cursor.id, poll.cursor.seen);
    poll.cursor = { id, seen: poll.cursor.seen };
    this.served(poll);
    poll.answer([{ type: 'heartbeat', id }]);
  }

  /** Resolves when nothing is being read any more. */
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
        this.trouble = null;
      } catch (error) {
        this.parts.log.warn({ err: error, realm: this.realmId }, 'client events cannot be read; trying again');
        this.trouble = error as Error;
      }
    }
    this.pumping = null;
  }

  private async run(): Promise<void> {
    const { window } = this;
    for (;;) {
      if (this.hasNews) await this.readNew();
      const behind = [...this.polls.values()].filter((poll) => this.isBehind(poll));
      for (const poll of behind) if (poll.cursor.seen < window.from) this.catchingUp.begin(poll);
      const near = behind.filter((poll) => poll.cursor.seen >= window.from);
      if (near.length > 0) await this.serve(near, window.events, window.position);
      else if (!this.hasNews) break;
    }
    this.letGo();
  }

  private get hasNews(): boolean {
    return this.told > this.reached && this.stop === null;
  }

  private goOn(): void {
    this.stop = null;
    if (this.polls.size > 0) this.pump();
  }

  private hearingOf({ queue, cursor }: Poll): SignalCursor {
    const requestedId = cursor.id;
    const freshSince = requestedId === lastLoggedId(queue.registered) ? queue.registeredAt : null;
    return this.parts.signalCursors.begin({ queueId: queue.id, requestedId, freshSince, at: this.parts.clock.now() });
  }

  private served(poll: Poll): void {
    if (poll.signalCursor) poll.signalCursor.lastRepliedId = poll.cursor.id;
    this.parts.onServed(poll);
  }

  /** Answers those who do not want to wait for more. */
  private letGo(): void {
    for (const poll of this.polls.values()) if (this.isUpToDate(poll)) poll.answer([]);
  }

  /** Has nothing to wait for. */
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
    const page = await this.parts.events.newest(this.realmId, reached, this.told);
    // A poll that catches up found meanwhile that a crash took back what was read before.
    if (this.reached !== reached) return;
    this.window.add(page);
    if (page.stop) this.waitAt(page.stop, checkpoints);
  }

  /**
   * Nobody waits for the disk when client events are stored, so a crash of PostgreSQL may take the last of them. They are
   * translated again: until then the feed stands where the translation does.
   */
  private goBackTo({ through, stop }: Page, checkpoints: number): void {
    this.window.goBackTo(through);
    if (stop) this.waitAt(stop, checkpoints);
  }

  /** @param checkpoints as many as it was told of before it read: where there is a newer one, reading again is worth it */
  private waitAt(stop: Stop, checkpoints: number): void {
    if (this.checkpoints !== checkpoints) return;
    this.stop = stop;
    this.complain(stop);
  }

  private areBeyond(position: Position): boolean {
    return [...this.polls.values()].some(({ cursor }) => cursor.seen > position);
  }

  private complain(stop: Stop): void {
    if (!stop.error || this.complainedOf === stop.at) return;
    this.complainedOf = stop.at;
    const where = { err: stop.error, realm: this.realmId, position: stop.at };
    this.parts.log.error(where, 'an event cannot be translated: nothing after it is told to who has not heard of it');
  }

  private async serve(polls: readonly Poll[], events: readonly StoredClientEvent[], through: Position): Promise<void> {
    const from = polls.reduce((least, poll) => Math.min(least, poll.cursor.seen), Infinity);
    const after = events.filter((event) => event.position > from);
    const waiting = polls.map((poll) => {
      const signals = this.parts.signals.waitingFor(poll, through);
      return { poll, queue: poll.queue, cursor: poll.cursor, signals };
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
      if (result.events.length > 0 || result.ends) poll.answer(result.events);
    });
  }

  /** Signals that cannot be written are lost; it is tried again without them, since the log goes on. */
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
