import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../../domain/index';

/** Identifies an event, also against another one that has its position after a restore. */
export type ReadEvent = Pick<Recorded, 'realmId' | 'position' | 'commandId'>;

/** What followers of the log need of it. Reads go through the given client, or through the pool. */
export interface EventSource {
  /** Position of the newest event of these realms, or of all; a realm without events has 0. */
  heads(realms?: readonly RealmId[] | null, client?: ClientBase): Promise<ReadonlyMap<RealmId, Position>>;
  /** The events after a position, in order, without a gap; fewer than `limit` only at the end of the log. */
  page(realmId: RealmId, after: number, limit: number, client?: ClientBase): Promise<Recorded[]>;
  /**
   * Keeps every writer of every realm out until the client's transaction ends, also of realms that do not exist yet,
   * then reads the heads. Waits for the writers that are at work, and for others who hold this lock.
   */
  lockHeads(client: ClientBase): Promise<ReadonlyMap<RealmId, Position>>;
  /** @throws Error when the log no longer holds an event that was read in it: it was restored from an older copy */
  ensureHolds(event: ReadEvent): Promise<void>;
}

/** What a page walk has to bring: the events of a realm after one position up to another. */
export interface Span {
  readonly realmId: RealmId;
  readonly after: number;
  readonly until: number;
}

/** How many events these are. */
export const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { after, until }) => sum + until - after, 0);

export interface Page {
  readonly realmId: RealmId;
  readonly after: number;
  readonly events: readonly Recorded[];
}

/**
 * The events of these spans page by page. The next page is read and decoded while the caller works on this one, unless
 * all goes through one client.
 * @throws Error when the log ends before a span does
 */
export async function* pagesOf(
  source: EventSource,
  spans: readonly Span[],
  pageSize: number,
  client?: ClientBase,
): AsyncGenerator<Page, void, void> {
  const pages = readPages(source, spans, pageSize, client);
  if (client !== undefined) return yield* pages;
  let next = pages.next();
  for (;;) {
    const page = await next;
    if (page.done) return;
    next = pages.next();
    next.catch(() => undefined); // whoever awaits it hears of it
    yield page.value;
  }
}

async function* readPages(
  source: EventSource,
  spans: readonly Span[],
  pageSize: number,
  client?: ClientBase,
): AsyncGenerator<Page, void, void> {
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
