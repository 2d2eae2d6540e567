import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../domain/index';
import type { EventSource, ReadEvent } from './event-source';

const KEPT = 8;

/**
 * Followers that stand at the same place read and decode a page once, and while they apply a full page the next one is
 * read. A page after which the log has grown is still true.
 */
export class SharedPages implements EventSource {
  private readonly pages = new Map<string, Promise<Recorded[]>>();

  constructor(private readonly source: EventSource) {}

  async page(realmId: RealmId, after: number, limit: number): Promise<Recorded[]> {
    const events = await this.read(realmId, after, limit);
    const last = events.at(-1);
    if (last !== undefined && events.length === limit) this.read(realmId, last.position, limit).catch(() => undefined);
    return events;
  }

  heads(realms?: readonly RealmId[] | null, client?: ClientBase): Promise<ReadonlyMap<RealmId, Position>> {
    return this.source.heads(realms, client);
  }

  lockHeads(client: ClientBase): Promise<ReadonlyMap<RealmId, Position>> {
    return this.source.lockHeads(client);
  }

  ensureHolds(event: ReadEvent): Promise<void> {
    return this.source.ensureHolds(event);
  }

  private read(realmId: RealmId, after: number, limit: number): Promise<Recorded[]> {
    const key = `${realmId}:${after}:${limit}`;
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const page = this.source.page(realmId, after, limit);
    this.pages.set(key, page);
    // What failed is asked for again, and what was empty may no longer be.
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
