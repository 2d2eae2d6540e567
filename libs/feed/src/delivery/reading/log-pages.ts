import type { Position, RealmId, Recorded } from '@annals/kernel/domain';
import type { EventLog, Kernel } from '@annals/kernel';
import { roughSize } from '../../domain/rough-size';

/** One read of the log has at most this many events, and ends after this many bytes. */
const PAGE = 1_000;
const PAGE_BYTES = 8_000_000;
/**
 * Most events of a realm, and most bytes of them, that are kept until they are delivered. This is less than the tail
 * reads at once.
 */
const KEPT = 1_000;
const KEPT_BYTES = 4_000_000;

/** The newest events of a realm: whole appends without a gap. Earlier ones have to be read. */
interface Recent {
  readonly events: Recorded[];
  bytes: number;
  /** The newest event received. Null if others may have been missed since. */
  last: Recorded | null;
}

/**
 * The log as delivery reads it, in whole appends. An event that the tail of this process has already is not read again:
 * the process wrote it, or passed the fence. The tail receives the events that delivery reads.
 */
export class LogPages {
  private readonly recent = new Map<RealmId, Recent>();

  constructor(
    private readonly tail: Pick<Kernel['tail'], 'listen' | 'reach'>,
    private readonly log: Pick<EventLog, 'storedPage' | 'pageOfBytes'>,
  ) {
    tail.listen((realmId, events) => this.receive(realmId, events));
  }

  /** Begins to keep the events of a realm that the tail receives. */
  open(realmId: RealmId): void {
    this.recent.set(realmId, { events: [], bytes: 0, last: null });
  }

  close(realmId: RealmId): void {
    this.recent.delete(realmId);
  }

  /**
   * The newest events, for all polls that are up to date.
   *
   * @param after the end of an append
   * @param head the end of an append that is known to be in the log
   */
  async newest(realmId: RealmId, after: Position, head: Position): Promise<readonly Recorded[]> {
    await this.tail.reach(realmId, head);
    const recent = this.recent.get(realmId);
    // Delivered events need not be kept. If events have to wait, they are read again.
    while (recent?.events[0] && recent.events[0].position <= after) recent.bytes -= sizeOf(recent.events.shift());
    return recent?.events[0]?.position === after + 1 ? [...recent.events] : this.after(realmId, after, head);
  }

  /** The same for polls that are further behind. Reads the log. */
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

  /** The end of the append before the one that continues after a position. The position itself if none does. */
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

  private receive(realmId: RealmId, events: readonly Recorded[] | null): void {
    const recent = this.recent.get(realmId);
    if (!recent) return;
    // A page of the tail that is full may end within an append, and the next one begins there.
    if (!events || events.length > KEPT) return forget(recent, null);
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return;
    const continues = recent.last !== null && first.position === recent.last.position + 1;
    if (!continues) forget(recent, null);
    const begins = continues ? 0 : events.findIndex(({ commandId }) => commandId !== first.commandId);
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
