import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../../domain/index';
import type { EventSource, ReadEvent } from './event-source';

const KEPT = 8;
/** Number of realms with their latest events in memory, and number of events of each. */
const TAILS = 32;
const TAIL_EVENTS = 500;

/** The latest events of a realm that were read, without a gap. */
interface Tail {
  readonly after: number;
  readonly events: readonly Recorded[];
}

/**
 * Followers at the same position read and decode a page once. While they apply a full page, the next one is read. A
 * page stays valid when the log grows.
 */
export class SharedPages implements EventSource {
  private readonly pages = new Map<string, Promise<Recorded[]>>();
  private readonly tails = new Map<RealmId, Tail>();

  constructor(private readonly source: EventSource) {}

  async page(realmId: RealmId, after: number, limit: number): Promise<Recorded[]> {
    const events = await this.read(realmId, after, limit);
    const last = events.at(-1);
    if (last !== undefined && events.length === limit) this.read(realmId, last.position, limit).catch(() => undefined);
    return events;
  }

  /** The same for callers that know the head: if the log was read up to its end, only new events are read. */
  async latest(realmId: RealmId, after: number, limit: number, head: number): Promise<readonly Recorded[]> {
    const tail = this.tails.get(realmId) ?? { after: -1, events: [] };
    const end = tail.after + tail.events.length;
    const known = after < tail.after || after > end ? [] : tail.events.slice(after - tail.after).slice(0, limit);
    if (known.length === limit || (known.length > 0 && end >= head)) return known;
    const from = known.at(-1)?.position ?? after;
    const wanted = limit - known.length;
    const events = await this.page(realmId, from, wanted);
    if (events.length < wanted) this.keep(realmId, from, events);
    return [...known, ...events];
  }

  heads(realms?: readonly RealmId[] | null, client?: ClientBase): Promise<ReadonlyMap<RealmId, Position>> {
    return this.source.heads(realms, client);
  }

  lockHeads(client: ClientBase): Promise<ReadonlyMap<RealmId, Position>> {
    return this.source.lockHeads(client);
  }

  ensureContains(event: ReadEvent): Promise<void> {
    return this.source.ensureContains(event);
  }

  /** Keeps events that end at the end of the log, so that they never end within an append. */
  private keep(realmId: RealmId, after: number, events: readonly Recorded[]): void {
    const tail = this.tails.get(realmId);
    const end = tail ? tail.after + tail.events.length : -1;
    if (events.length === 0 || end > after) return;
    const all = end === after && tail ? [...tail.events, ...events] : events;
    const cut = Math.max(0, all.length - TAIL_EVENTS);
    this.tails.delete(realmId);
    this.tails.set(realmId, { after: (all[0]?.position ?? 1) - 1 + cut, events: all.slice(cut) });
    for (const oldest of this.tails.keys()) {
      if (this.tails.size <= TAILS) break;
      this.tails.delete(oldest);
    }
  }

  private read(realmId: RealmId, after: number, limit: number): Promise<Recorded[]> {
    const key = `${realmId}:${after}:${limit}`;
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const page = this.source.page(realmId, after, limit);
    this.pages.set(key, page);
    // A failed read is repeated, and an empty page may have events now.
    page.then(
      (events) => events.length === 0 && this.pages.delete(key),
      () => this.pages.delete(key),
    );
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= KEPT) break;
      this.pages.delete(oldest);
    }
    return page;
  }
}
