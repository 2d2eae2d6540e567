import type { Position, RealmId, Recorded } from '@annals/kernel/domain';
import type { EventLog, Kernel } from '@annals/kernel';
import { roughSize } from '../../domain/rough-size';

/** Events of the log that are read at once, and bytes after which no more are. */
const PAGE = 1_000;
const PAGE_BYTES = 8_000_000;
/** What is kept of a realm until it is delivered, and how many bytes that may take. Less than the tail reads at once. */
const KEPT = 1_000;
const KEPT_BYTES = 4_000_000;

/** The newest events of a realm, whole appends without a gap; what is before them has to be read. */
interface Recent {
  readonly events: Recorded[];
  bytes: number;
  /** Of the newest event heard; null when others may have been missed since. */
  last: Recorded | null;
}

/**
 * The log as delivery reads it, in whole appends. What this process's tail has heard, because the process wrote it or
 * passed the fence, is not read again, and what delivery needs of the tail is read for both.
 */
export class LogPages {
  private readonly recent = new Map<RealmId, Recent>();

  constructor(
    private readonly tail: Pick<Kernel['tail'], 'listen' | 'reach'>,
    private readonly log: Pick<EventLog, 'storedPage' | 'pageOfBytes'>,
  ) {
    tail.listen((realmId, events) => this.hear(realmId, events));
  }

  /** Begins to keep what is heard of a realm. */
  open(realmId: RealmId): void {
    this.recent.set(realmId, { events: [], bytes: 0, last: null });
  }

  close(realmId: RealmId): void {
    this.recent.delete(realmId);
  }

  /**
   * The newest events, for all who are delivered to.
   *
   * @param after the end of an append
   * @param head the end of an append that is known to be in the log
   */
  async newest(realmId: RealmId, after: Position, head: Position): Promise<readonly Recorded[]> {
    await this.tail.reach(realmId, head);
    const recent = this.recent.get(realmId);
    // What is delivered need not be kept; what has to wait is asked for again.
    while (recent?.events[0] && recent.events[0].position <= after) recent.bytes -= sizeOf(recent.events.shift());
    return recent?.events[0]?.position === after + 1 ? [...recent.events] : this.after(realmId, after, head);
  }

  /** The same for those who are further back; reads the log. */
  async after(realmId: RealmId, after: Position, head: Position): Promise<readonly Recorded[]> {
    for (let times = 1; ; times *= 2) {
      const events = await this.log.pageOfBytes(realmId, after, head, PAGE * times, PAGE_BYTES * times);
      const last = events.at(-1);
      if (!last) throw new Error(`the log of realm ${realmId} ends at ${after}, ${head} was promised`);
      if (last.position === head) return events;
      const whole = events.findLastIndex(({ commandId }) => commandId !== last.commandId) + 1;
      if (whole > 0) return events.slice(0, whole);
    }
  }

  /** The end of the append before the one that goes on after a position; the position itself where none goes on. */
  async boundary(realmId: RealmId, position: Position): Promise<Position> {
    for (let back = 1; ; back *= 8) {
      const from = Math.max(0, position - back) as Position;
      const events = await this.log.storedPage(realmId, from, position - from + 1);
      const next = events.at(-1);
      if (next?.position !== position + 1) return position;
      const before = events.findLast(({ commandId }) => commandId !== next.commandId);
      if (before || from === 0) return before?.position ?? (0 as Position);
    }
  }

  private hear(realmId: RealmId, events: readonly Recorded[] | null): void {
    const recent = this.recent.get(realmId);
    if (!recent) return;
    // A page of the tail that is as long as can be may end, and the next one begin, within an append.
    if (!events || events.length > KEPT) return forget(recent, null);
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return;
    const goesOn = recent.last !== null && first.position === recent.last.position + 1;
    if (!goesOn) forget(recent, null);
    const begins = goesOn ? 0 : events.findIndex(({ commandId }) => commandId !== first.commandId);
    for (const event of begins < 0 ? [] : events.slice(begins)) {
      recent.events.push(event);
      recent.bytes += sizeOf(event);
    }
    recent.last = last;
    if (recent.events.length > KEPT || recent.bytes > KEPT_BYTES) forget(recent, last);
  }
}

function forget(recent: Recent, last: Recorded | null): void {
  recent.events.length = 0;
  recent.bytes = 0;
  recent.last = last;
}

const sizeOf = (event: Recorded | undefined): number => (event ? roughSize(event.data) + roughSize(event.sealed) : 0);
