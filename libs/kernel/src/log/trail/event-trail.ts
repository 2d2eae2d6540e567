import type { Position, RealmId, Recorded, Subject } from '../../domain/index';
import type { Kernel } from '../../kernel';
import { readIndexedUpTo } from '../subjects/indexed-up-to';
import type { CandidateRanges, TrailRange, TrailOrder } from './candidate-blocks';
import { CandidateBlocks, commonRange } from './candidate-blocks';
import type { SqlCondition, TrailFilter } from './trail-filter';
import { conditionOf, meets } from './trail-filter';

/** An event of a trail. */
export interface TrailEvent {
  readonly event: Recorded;
  readonly subjects: readonly Subject[];
}

/** Events in the order of the trail. */
export interface TrailPage {
  readonly events: readonly TrailEvent[];
  /** The span that was not searched. Null when nothing is left. */
  readonly rest: TrailRange | null;
}

/** The request for a page of a trail. */
export interface TrailRequest {
  readonly filter: TrailFilter;
  readonly span: TrailRange;
  readonly order: TrailOrder;
  readonly limit: number;
}

/** Positions that are looked at for one page. */
const MOST_SCANNED = 65_536;
/** Rows of the index that are looked up for one page. */
const MOST_STEPS = 4_096;
/** Parts of the log that are looked at with one query, after fewer ones. */
const MOST_PARTS = 16;
/** Stored bytes of the events of a page, and of those that are decoded at once. */
const PAGE_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 512 * 1024;

interface Found {
  readonly position: Position;
  readonly bytes: number;
}

/**
 * The events of an organization that meet some conditions, page by page. The index of subjects says in which parts of
 * the log they are. What it has not followed yet is looked through, so an event is in its trail at once. A page does a
 * limited amount of work, so it may have fewer events than were asked for, or none, while there are more.
 */
export class EventTrail {
  constructor(private readonly kernel: Pick<Kernel, 'database' | 'events' | 'registry'>) {}

  async page(realmId: RealmId, request: TrailRequest): Promise<TrailPage> {
    const indexed = await readIndexedUpTo(this.kernel.database.pool, realmId);
    return new PageSearch(this.kernel, realmId, request, indexed).run();
  }
}

/** The search for the events of one page. */
class PageSearch {
  private readonly found: TrailEvent[] = [];
  private readonly blocks: CandidateBlocks;
  private readonly condition: SqlCondition;
  private rest: TrailRange;
  private scanned = 0;
  private steps = 0;
  private bytes = 0;
  private parts = 1;

  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'events' | 'registry'>,
    private readonly realmId: RealmId,
    private readonly request: TrailRequest,
    private readonly indexed: number,
  ) {
    this.blocks = new CandidateBlocks(kernel.database, realmId, request.filter, request.order);
    this.condition = conditionOf(request.filter, kernel.registry, 5);
    this.rest = request.span;
  }

  async run(): Promise<TrailPage> {
    const { limit } = this.request;
    // One more than wanted says whether there is a next page.
    while (this.rest.after < this.rest.upTo && this.found.length <= limit && !this.isTired) {
      const candidates = await this.candidates();
      this.steps += candidates.steps;
      this.parts = Math.min(this.parts * 2, MOST_PARTS);
      await this.search(candidates);
    }
    const [last, beyond] = [this.found[limit - 1], this.found[limit]];
    if (last && beyond) this.rest = this.beyond(this.request.span, last.event.position);
    return {
      events: this.found.slice(0, limit),
      rest: this.rest.after < this.rest.upTo ? this.rest : null,
    };
  }

  private get isTired(): boolean {
    return this.scanned >= MOST_SCANNED || this.steps >= MOST_STEPS || this.bytes >= PAGE_BYTES;
  }

  /** Candidates in the next part of the rest: the part in the index, or the part that the index has not followed yet. */
  private async candidates(): Promise<CandidateRanges> {
    const inIndex = commonRange(this.rest, { after: 0, upTo: this.indexed });
    const others = commonRange(this.rest, { after: this.indexed, upTo: Number.MAX_SAFE_INTEGER });
    const isEmpty = ({ after, upTo }: TrailRange) => after >= upTo;
    const isNewest = this.request.order === 'newest';
    const first = isNewest ? (isEmpty(others) ? inIndex : others) : isEmpty(inIndex) ? others : inIndex;
    const candidates =
      first === inIndex ? await this.blocks.inIndex(inIndex, this.parts) : this.blocks.all(others, this.parts);
    const { rest } = candidates;
    return {
      ...candidates,
      rest: isNewest ? { after: this.rest.after, upTo: rest.upTo } : { after: rest.after, upTo: this.rest.upTo },
    };
  }

  /** Searches parts of the log. The new rest is what follows these parts, or what follows the last event that was taken. */
  private async search({ parts, rest }: CandidateRanges): Promise<void> {
    for (let left = parts; left.length > 0;) {
      const wanted = Math.min(1_000, 2 * (this.request.limit + 1 - this.found.length) + 14);
      const found = await this.positions(left, wanted);
      const taken = await this.take(found);
      const last = found.at(-1)?.position;
      if (taken !== null) {
        this.rest = this.beyond(this.rest, taken);
        return;
      }
      if (found.length < wanted || last === undefined) break;
      left = left.map((part) => commonRange(part, this.beyond(part, last))).filter(({ after, upTo }) => after < upTo);
    }
    this.scanned += parts.reduce((sum, { after, upTo }) => sum + upTo - after, 0);
    this.rest = rest;
  }

  /** @returns the last position that was taken if the page is full; null if more may be taken */
  private async take(found: readonly Found[]): Promise<Position | null> {
    for (let from = 0; from < found.length;) {
      let until = from;
      for (let bytes = 0; until < found.length && (until === from || bytes < READ_BYTES); until++)
        bytes += found[until]?.bytes ?? 0;
      const some = found.slice(from, until);
      for (const event of await this.read(some)) this.found.push(event);
      from = until;
      this.bytes += some.reduce((sum, { bytes }) => sum + bytes, 0);
      const last = some.at(-1)?.position ?? null;
      if (this.found.length > this.request.limit || this.bytes >= PAGE_BYTES) return last;
    }
    return null;
  }

  private beyond(span: TrailRange, position: number): TrailRange {
    return this.request.order === 'newest'
      ? { after: span.after, upTo: Math.min(span.upTo, position - 1) }
      : { after: Math.max(span.after, position), upTo: span.upTo };
  }

  /** Positions of events that meet the condition, in the order of the trail. */
  private async positions(parts: readonly TrailRange[], limit: number): Promise<Found[]> {
    const order = this.request.order === 'newest' ? 'DESC' : 'ASC';
    const { rows } = await this.kernel.database.pool.query<Found>({
      text: `SELECT f.position, f.bytes FROM unnest($2::int8[], $3::int8[]) AS p(after, up_to) CROSS JOIN LATERAL (
          SELECT e.position, pg_column_size(e.data) + coalesce(pg_column_size(e.sealed), 0) AS bytes
          FROM events AS e WHERE e.realm_id = $1 AND e.position > p.after AND e.position <= p.up_to
            AND ${this.condition.text} ORDER BY e.position ${order} LIMIT $4) AS f
        ORDER BY f.position ${order} LIMIT $4`,
      values: [
        this.realmId,
        parts.map(({ after }) => after),
        parts.map(({ upTo }) => upTo),
        limit,
        ...this.condition.values,
      ],
    });
    return rows;
  }

  /** The events at these positions that meet the filter, in the order of the trail. */
  private async read(found: readonly Found[]): Promise<TrailEvent[]> {
    const { events, registry } = this.kernel;
    const stored = await events.storedAt(
      this.realmId,
      found.map(({ position }) => position),
    );
    const read = stored.flatMap((one): TrailEvent[] => {
      const event = registry.decodeAny(one);
      if (!registry.knows(event.type)) return [];
      const subjects = registry.definition(event.type).subjects(event.data, event.position);
      if (!meets(this.request.filter, event, subjects)) return [];
      return [{ event, subjects }];
    });
    return this.request.order === 'newest' ? read.reverse() : read;
  }
}
