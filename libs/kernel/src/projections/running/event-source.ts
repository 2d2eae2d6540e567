import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../../domain/index';

/** Identifies an event, also among events that have the same position after a restore. */
export type ReadEvent = Pick<Recorded, 'realmId' | 'position' | 'commandId'>;

/** The reads of followers of the log. They use the given client, or the pool. */
export interface EventSource {
  /** Position of the newest event of these realms, or of all; 0 for a realm without events. */
  heads(realms?: readonly RealmId[] | null, client?: ClientBase): Promise<ReadonlyMap<RealmId, Position>>;
  /**
   * The events after a position, in order and without a gap. Fewer than `limit` are returned only at the end of the
   * log.
   */
  page(realmId: RealmId, after: number, limit: number, client?: ClientBase): Promise<Recorded[]>;
  /**
   * Excludes all writers of all realms, also of realms that do not exist yet, until the client's transaction ends; then
   * reads the heads. Waits for current writers and for other holders of this lock.
   */
  lockHeads(client: ClientBase): Promise<ReadonlyMap<RealmId, Position>>;
  /**
   * @throws Error if the log does not contain an event that was read from it, because it was restored from an older
   * copy
   */
  ensureContains(event: ReadEvent): Promise<void>;
}

/** The range of a walk: the events of a realm after one position up to another. */
export interface EventRange {
  readonly realmId: RealmId;
  readonly after: number;
  readonly until: number;
}

/** Number of these events. */
export const lengthOf = (spans: readonly EventRange[]): number =>
  spans.reduce((sum, { after, until }) => sum + until - after, 0);

export interface EventSourcePage {
  readonly realmId: RealmId;
  readonly after: number;
  readonly events: readonly Recorded[];
}

/**
 * Reads the events of these ranges page by page. The next page is read and decoded while the caller works on the
 * current one, unless all reads use one client.
 * @throws Error if the log ends before a range does
 */
export async function* pagesOf(
  source: EventSource,
  spans: readonly EventRange[],
  pageSize: number,
  client?: ClientBase,
): AsyncGenerator<EventSourcePage, void, void> {
  const pages = readPages(source, spans, pageSize, client);
  if (client !== undefined) return yield* pages;
  let next = pages.next();
  for (;;) {
    const page = await next;
    if (page.done) return;
    next = pages.next();
    next.catch(() => undefined); // the caller receives the error
    yield page.value;
  }
}

async function* readPages(
  source: EventSource,
  spans: readonly EventRange[],
  pageSize: number,
  client?: ClientBase,
): AsyncGenerator<EventSourcePage, void, void> {
  for (const { realmId, after, until } of spans) {
    for (let from = after; from < until;) {
      const events = await source.page(realmId, from, Math.min(pageSize, until - from), client);
      const last = events.at(-1);
      if (last === undefined) throw new Error(`the log of realm ${realmId} ends at ${from}, ${until} was promised`);
      yield { realmId, after: from, events };
      from = last.position;
    }
  }
}
