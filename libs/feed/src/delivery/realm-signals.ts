import type { Logger } from 'pino';
import type { Clock, Instant, RealmId } from '@annals/kernel/domain';
import type { ClientSignal } from '@annals/kernel';
import type { WireEvent } from '../domain/flag-events';
import type { StoredClientEvent } from '../translation/client-event';
import type { Hearings } from './hearings';
import type { Poll } from './poll';
import type { Objects, Presentation, Signalled } from './presentation';
import { mayAddress } from '../domain/audience';
import { NOT_LOGGED, endOf, fleetingId, takesFleeting } from '../domain/event-id';

/** How long a signal waits for a queue that is about to poll again. */
const KEPT_MS = 60_000;
/** Signals of a realm that wait; beyond it the oldest go. Each has at most 7,000 bytes. */
const MAX_KEPT = 1_000;

export interface RealmSignalsParts {
  readonly presentation: Presentation;
  /** Shared by all realms of a process. */
  readonly hearings: Hearings;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Kept {
  readonly turn: number;
  readonly until: Instant;
  readonly event: StoredClientEvent;
}

/** A poll and the signals that are its turn now; some of them may be for it. */
interface Round extends Signalled {
  readonly poll: Poll;
  readonly through: number;
}

/**
 * The signals of one realm in this process: given to the polls that hang, and kept for a moment for those that come back.
 * It works beside the delivery of the log and never holds it up; what cannot be written is dropped.
 */
export class RealmSignals {
  private kept: Kept[] = [];
  private serving: Promise<void> | null = null;
  private isWanted = false;

  /**
   * @param polls those that wait
   * @param give answers a poll
   * @param onServed nothing more can be done for the polls that wait
   */
  constructor(
    private readonly realmId: RealmId,
    private readonly polls: ReadonlyMap<string, Poll>,
    private readonly parts: RealmSignalsParts,
    private readonly give: (poll: Poll, events: readonly WireEvent[]) => void,
    private readonly onServed: () => void,
  ) {}

  /** A signal has arrived. */
  hear(signal: ClientSignal): void {
    const now = this.parts.clock.now();
    this.kept = this.kept.filter(({ until }) => until > now).slice(1 - MAX_KEPT);
    const event = { ...signal, k: NOT_LOGGED };
    this.kept.push({ turn: this.parts.hearings.nextTurn(), until: (now + KEPT_MS) as Instant, event });
    if (this.polls.size > 0) this.serve();
  }

  /** A poll begins to wait. */
  join(poll: Poll): void {
    const { id: queueId, registered } = poll.queue;
    const asked = poll.cursor.id;
    const isFresh = asked === endOf(registered);
    poll.hearing = this.parts.hearings.begin({ queueId, asked, isFresh, at: this.parts.clock.now() });
  }

  /** Whether signals wait for this poll that have not been looked at. */
  hasNewsFor(poll: Poll): boolean {
    return this.freshFor(poll).length > 0;
  }

  /** Gives the polls that wait what is there for them. */
  serve(): void {
    this.isWanted = true;
    this.serving ??= this.serveOn();
  }

  /** Resolves when nobody is being served any more. */
  async settled(): Promise<void> {
    while (this.serving) await this.serving;
  }

  private async serveOn(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      try {
        await this.serveOnce();
      } catch (error) {
        this.parts.log.warn({ err: error, realm: this.realmId }, 'signals cannot be written and are lost');
        this.kept = [];
      }
    }
    this.serving = null;
    this.onServed();
  }

  private async serveOnce(): Promise<void> {
    const rounds = [...this.polls.values()].flatMap((poll) => this.roundOf(poll));
    const concerned = rounds.filter(({ events }) => events.length > 0);
    const written = concerned.length > 0 ? await this.parts.presentation.signals(this.realmId, concerned) : [];
    for (const { poll, through } of rounds) if (poll.isOpen && poll.hearing) poll.hearing.heard = through;
    concerned.forEach(({ poll }, index) => {
      const objects = written[index] ?? [];
      if (poll.isOpen && objects.length > 0) this.give(poll, numbered(poll, objects));
    });
  }

  private roundOf(poll: Poll): Round[] {
    const fresh = this.freshFor(poll);
    const last = fresh.at(-1);
    if (!last) return [];
    const { queue } = poll;
    const since = poll.hearing?.since ?? 0;
    const events = fresh
      .map(({ event }) => event)
      .filter((event) => event.at > since && queue.wants(event.type) && mayAddress(event.audience, queue.userId));
    return [{ poll, queue, through: last.turn, events }];
  }

  /** In order, so a signal from a place of the log that the poll has yet to be served up to keeps later ones back. */
  private freshFor({ isOpen, hearing, cursor }: Poll): readonly Kept[] {
    if (!isOpen || !hearing || !takesFleeting(cursor)) return [];
    const now = this.parts.clock.now();
    const past = this.kept.findLastIndex(({ turn, until }) => turn <= hearing.heard || until <= now);
    const fresh = this.kept.slice(past + 1);
    const early = fresh.findIndex(({ event }) => event.position > cursor.seen);
    return early < 0 ? fresh : fresh.slice(0, early);
  }
}

function numbered({ cursor }: Poll, objects: Objects): WireEvent[] {
  let { id } = cursor;
  return objects.map((object) => {
    id = fleetingId(id, cursor.seen);
    return { ...object, type: object['type'] as string, id };
  });
}
