import type { Logger } from 'pino';
import type { Clock, Position, RealmId } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../translation/client-event';
import type { ClientEventRows, Page, ReadClientEvent } from './client-event-rows';
import type { Hearing, Hearings } from './hearings';
import type { KeptSignals } from './kept-signals';
import type { Poll } from './poll';
import type { Presentation, Served, Waiting } from './presentation';
import type { Slots } from './slots';
import { endOf, fleetingId } from '../domain/event-id';
import { reject } from '../domain/rejections';

/** Client events of a realm that are kept in memory. */
const WINDOW = 1_000;
/** Bytes that they take at most where they are stored, whatever their number; in memory they take a few times as much. */
const WINDOW_BYTES = 16_000_000;

export interface RealmFeedParts {
  readonly rows: ClientEventRows;
  readonly presentation: Presentation;
  /** These three are shared by all realms of a process. */
  readonly signals: KeptSignals;
  readonly hearings: Hearings;
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
  /** The latest client events, those after `windowFrom` up to `position`. */
  private window: ReadClientEvent[] = [];
  private windowFrom: Position;
  /** Highest position that is known to be translated. */
  private told: Position;
  private pumping: Promise<void> | null = null;
  private isWanted = false;
  private readonly catchingUp = new Set<Poll>();
  private trouble: Error | null = null;

  /** @param position checkpoint of the translation */
  constructor(
    readonly realmId: RealmId,
    private position: Position,
    private readonly parts: RealmFeedParts,
  ) {
    this.windowFrom = position;
    this.told = position;
  }

  /** Up to here everything is known. */
  get reached(): Position {
    return this.position;
  }

  /** Lets a poll wait; an older one of the same queue is ended (contract/realtime.md section 1). */
  join(poll: Poll): void {
    this.polls.get(poll.queue.id)?.answer([]);
    this.polls.set(poll.queue.id, poll);
    poll.hearing = this.hearingOf(poll);
    void poll.answered.catch(() => undefined).then(() => this.leave(poll));
    if (poll.until !== null || this.told > this.position || this.isBehind(poll)) this.pump();
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

  /** The translation has reached a position. */
  tell(position: Position): void {
    if (position > this.told) this.told = position;
    if (this.polls.size > 0 && this.told > this.position) this.pump();
  }

  /** Answers polls that have waited long enough, by a heartbeat; one whose events cannot be read is told why. */
  beat(now: number): void {
    for (const poll of this.polls.values()) {
      if (poll.deadline > now) continue;
      if (poll.until !== null) poll.answer([]);
      else if (poll.cursor.seen >= this.position) this.heartbeat(poll);
      else if (this.trouble) poll.refuse(this.trouble);
    }
    if (this.trouble) this.pump();
  }

  heartbeat(poll: Poll): void {
    const id = fleetingId(poll.cursor.id, poll.cursor.seen);
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
    for (;;) {
      if (this.told > this.position) await this.readNew();
      const behind = [...this.polls.values()].filter((poll) => this.isBehind(poll));
      for (const poll of behind) if (poll.cursor.seen < this.windowFrom) this.catchUp(poll);
      const near = behind.filter((poll) => poll.cursor.seen >= this.windowFrom);
      if (near.length > 0) await this.serve(near, this.window, this.position);
      else if (this.told <= this.position) break;
    }
    this.letGo();
  }

  private hearingOf({ queue, cursor }: Poll): Hearing {
    const asked = cursor.id;
    const freshSince = asked === endOf(queue.registered) ? queue.registeredAt : null;
    return this.parts.hearings.begin({ queueId: queue.id, asked, freshSince, at: this.parts.clock.now() });
  }

  private served(poll: Poll): void {
    if (poll.hearing) poll.hearing.handed = poll.cursor.id;
    this.parts.onServed(poll);
  }

  /** Answers those who do not want to wait for more. */
  private letGo(): void {
    for (const poll of this.polls.values()) if (this.isUpToDate(poll)) poll.answer([]);
  }

  /** Has nothing to wait for. */
  private isUpToDate(poll: Poll): boolean {
    const { cursor, until } = poll;
    return until !== null && this.position >= until && cursor.seen >= this.position && !this.hasSignals(poll);
  }

  private isBehind(poll: Poll): boolean {
    if (!poll.isOpen || this.catchingUp.has(poll)) return false;
    return poll.cursor.seen < this.position || this.hasSignals(poll);
  }

  private hasSignals(poll: Poll): boolean {
    return this.parts.signals.waitingFor(poll, this.position).length > 0;
  }

  private async readNew(): Promise<void> {
    const from = this.position;
    const { events, through } = await this.read(from, this.told);
    if (this.position !== from) return;
    this.window.push(...events);
    this.position = through;
    let bytes = 0;
    const isTooMuch = ({ size }: ReadClientEvent, n: number) => {
      bytes += size;
      return bytes > WINDOW_BYTES || this.window.length - n > WINDOW;
    };
    const last = this.window.findLast(isTooMuch)?.position;
    if (last === undefined) return;
    this.window = this.window.filter((event) => event.position > last);
    this.windowFrom = last;
  }

  private async read(after: Position, upTo: Position): Promise<Page> {
    const page = await this.parts.rows.after(this.realmId, after, upTo);
    if (page.checkpoint < upTo) this.goBackTo(page.checkpoint, upTo);
    return page;
  }

  /**
   * Nobody waits for the disk when client events are written, so a crash of PostgreSQL may take the last of them. They
   * are translated again: until then the feed stands where the translation does.
   *
   * @param from the position that was translated before
   */
  private goBackTo(checkpoint: Position, from: Position): void {
    if (this.told === from) this.told = checkpoint;
    if (checkpoint >= this.position) return;
    this.position = checkpoint;
    this.windowFrom = Math.min(this.windowFrom, checkpoint) as Position;
    this.window = this.window.filter((event) => event.position <= checkpoint);
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
      const heard = signals[result.signals - 1];
      if (poll.hearing && heard) poll.hearing.heard = heard.turn;
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

  /** Brings one poll to where the window begins, page by page, beside the others. */
  private catchUp(poll: Poll): void {
    this.catchingUp.add(poll);
    void this.parts.slots
      .run(() => this.readOld(poll))
      .catch((error: Error) => poll.refuse(error))
      .finally(() => {
        this.catchingUp.delete(poll);
        if (poll.isOpen) this.pump();
      });
  }

  private async readOld(poll: Poll): Promise<void> {
    const { rows } = this.parts;
    if (poll.cursor.seen < (await rows.horizon(this.realmId))) {
      poll.refuse(reject.badQueueId(poll.queue.id));
      return;
    }
    while (poll.isOpen && poll.cursor.seen < this.windowFrom) {
      const { events, through } = await this.read(poll.cursor.seen, this.position);
      await this.serve([poll], events, through);
    }
  }
}
