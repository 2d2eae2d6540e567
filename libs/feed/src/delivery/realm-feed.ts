import type { Position, RealmId } from '@annals/kernel/domain';
import type { ClientSignal } from '@annals/kernel';
import type { WireEvent } from '../domain/flag-events';
import type { StoredClientEvent } from '../translation/client-event';
import type { ClientEventRows } from './client-event-rows';
import type { Poll } from './poll';
import type { RealmSignalsParts } from './realm-signals';
import type { Slots } from './slots';
import { fleetingId } from '../domain/event-id';
import { reject } from '../domain/rejections';
import { RealmSignals } from './realm-signals';

/** Client events of a realm that are kept in memory. */
const WINDOW = 1_000;

export interface RealmFeedParts extends RealmSignalsParts {
  readonly rows: ClientEventRows;
  /** Shared by all realms of a process: reads for queues that are far behind. */
  readonly slots: Slots;
  /** A poll was answered, or looked at events that are not for its queue. */
  readonly onServed: (poll: Poll) => void;
}

/**
 * The polls of one realm that wait in this process. New client events are read once for all of them, and the latest stay
 * in memory for those who come back a moment later; a poll that waits costs nothing.
 */
export class RealmFeed {
  readonly polls = new Map<string, Poll>();
  /** The latest client events, those after `windowFrom` up to `position`. */
  private window: StoredClientEvent[] = [];
  private windowFrom: Position;
  /** Highest position that is known to be translated. */
  private told: Position;
  private pumping: Promise<void> | null = null;
  private isWanted = false;
  private readonly catchingUp = new Set<Poll>();
  private trouble: Error | null = null;
  private readonly signals: RealmSignals;

  /** @param position checkpoint of the translation */
  constructor(
    readonly realmId: RealmId,
    private position: Position,
    private readonly parts: RealmFeedParts,
  ) {
    this.windowFrom = position;
    this.told = position;
    const give = (poll: Poll, events: readonly WireEvent[]) => this.give(poll, events);
    this.signals = new RealmSignals(realmId, this.polls, parts, give, () => this.letGo());
  }

  /** Up to here everything is known. */
  get reached(): Position {
    return this.position;
  }

  /** Lets a poll wait; an older one of the same queue is ended (contract/realtime.md section 1). */
  join(poll: Poll): void {
    this.polls.get(poll.queue.id)?.answer([]);
    this.polls.set(poll.queue.id, poll);
    this.signals.join(poll);
    void poll.answered.catch(() => undefined).then(() => this.leave(poll));
    if (poll.until !== null || poll.cursor.seen < this.position || this.told > this.position) this.pump();
    else if (this.signals.hasNewsFor(poll)) this.signals.serve();
  }

  /** A signal has arrived. */
  hear(signal: ClientSignal): void {
    this.signals.hear(signal);
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
    this.give(poll, [{ type: 'heartbeat', id }]);
  }

  /** Resolves when nothing is being read any more. */
  async settled(): Promise<void> {
    while (this.pumping) await this.pumping;
    await this.signals.settled();
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
    if ([...this.polls.values()].some((poll) => this.signals.hasNewsFor(poll))) this.signals.serve();
    this.letGo();
  }

  /** Answers a poll with what is no event of the log. */
  private give(poll: Poll, events: readonly WireEvent[]): void {
    poll.cursor = { id: events.at(-1)?.id ?? poll.cursor.id, seen: poll.cursor.seen };
    this.served(poll);
    poll.answer(events);
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
    if (until === null || cursor.seen < this.position || this.position < until) return false;
    return !this.signals.hasNewsFor(poll);
  }

  private isBehind(poll: Poll): boolean {
    return poll.isOpen && poll.cursor.seen < this.position && !this.catchingUp.has(poll);
  }

  private async readNew(): Promise<void> {
    const { events, through } = await this.parts.rows.after(this.realmId, this.position, this.told);
    this.window.push(...events);
    this.position = through;
    if (this.window.length <= WINDOW) return;
    const last = this.window[this.window.length - WINDOW - 1]?.position ?? this.windowFrom;
    this.window = this.window.filter((event) => event.position > last);
    this.windowFrom = last;
  }

  private async serve(polls: readonly Poll[], events: readonly StoredClientEvent[], through: Position): Promise<void> {
    const from = polls.reduce((least, poll) => Math.min(least, poll.cursor.seen), Infinity);
    const after = events.filter((event) => event.position > from);
    const served = await this.parts.presentation.serve(this.realmId, after, through, polls);
    polls.forEach((poll, index) => {
      const result = served[index];
      if (!poll.isOpen || !result) return;
      if (result === 'lost') {
        poll.refuse(reject.badQueueId(poll.queue.id));
        return;
      }
      poll.cursor = result.cursor;
      this.served(poll);
      if (result.events.length > 0 || result.ends) poll.answer(result.events);
    });
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
      const { events, through } = await rows.after(this.realmId, poll.cursor.seen, this.position);
      await this.serve([poll], events, through);
    }
  }
}
