import type { RealmId } from '../../domain/index';
import type { Kernel } from '../../kernel';
import { REQUEST_BITS, REQUEST_BLOCK, requestBits, requestBlockOf } from '../subjects/block-keys';
import { SUBJECT_BLOCK, blockOf } from '../subjects/subject-index';
import type { BlockSource, TrailFilter } from './trail-filter';
import { blockSourcesOf } from './trail-filter';

/**
 * Positions after the first, up to and including the second. So the end of a part is where the reading continues. A `Span`
 * of the domain has its first position and not its last, because a state holds from an event until the next one.
 */
export interface TrailRange {
  readonly after: number;
  readonly upTo: number;
}

export type TrailOrder = 'newest' | 'oldest';

/** Parts of a range in which there may be events, in the order of the trail, and what of the range was not looked at. */
export interface CandidateRanges {
  readonly parts: readonly TrailRange[];
  readonly rest: TrailRange;
  /** How many rows of the index were looked up. */
  readonly steps: number;
}

/** Rows of request ids that are looked through at once. */
const REQUEST_ROWS = 65_536;
/** Blocks that are looked up at once when few of them meet all conditions. */
const LEAPS = 512;

/** Finds the parts of the log that may have events of a trail, in the index of subjects. */
export class CandidateBlocks {
  constructor(
    private readonly database: Kernel['database'],
    private readonly realmId: RealmId,
    private readonly filter: TrailFilter,
    private readonly order: TrailOrder,
  ) {}

  /**
   * @param span which the index has followed
   * @param most so many parts at most
   */
  inIndex(span: TrailRange, most: number): Promise<CandidateRanges> {
    const sources = blockSourcesOf(this.filter);
    if (this.filter.requestId !== undefined) return this.ofRequest(this.filter.requestId, span, most);
    return sources.length === 0 ? Promise.resolve(this.all(span, most)) : this.ofSources(sources, span, most);
  }

  /** Every part of a span, for events that the index does not have yet. */
  all(span: TrailRange, most: number): CandidateRanges {
    const first = blockOf(this.isNewest ? span.upTo : span.after + 1);
    const last = blockOf(this.isNewest ? span.after + 1 : span.upTo);
    const count = Math.min(most, Math.abs(last - first) + 1);
    const blocks = Array.from({ length: count }, (_, n) => (this.isNewest ? first - n : first + n));
    return this.found(
      blocks,
      SUBJECT_BLOCK,
      span,
      count > Math.abs(last - first) ? null : this.next(blocks.at(-1) ?? first),
      0,
    );
  }

  /**
   * Leaps from block to block: each source says which of its blocks comes next, and the farthest one is where all look
   * on. A block that all of them name may have an event.
   */
  private async ofSources(sources: readonly BlockSource[], span: TrailRange, most: number): Promise<CandidateRanges> {
    const isNewest = this.isNewest;
    const first = blockOf(isNewest ? span.upTo : span.after + 1);
    const last = blockOf(isNewest ? span.after + 1 : span.upTo);
    const { rows } = await this.database.pool.query<{ block: number; isHit: boolean; hits: number }>({
      text: leapSql(sources, isNewest),
      values: [
        this.realmId,
        first,
        last,
        most,
        LEAPS,
        ...sources.flatMap(({ keys, own }) => [
          keys.map(([kind]) => kind),
          keys.map(([, id]) => id),
          own === null ? null : blockOf(own),
        ]),
      ],
    });
    const end = rows.at(-1);
    const isDone = !end || (end.hits < most && rows.length < LEAPS);
    const hits = rows.filter(({ isHit }) => isHit).map(({ block }) => block);
    const next = isDone ? null : end.isHit ? this.next(end.block) : end.block;
    return this.found(hits, SUBJECT_BLOCK, span, next, rows.length + 1);
  }

  private async ofRequest(requestId: string, span: TrailRange, most: number): Promise<CandidateRanges> {
    const [low, high] = [requestBlockOf(span.after + 1), requestBlockOf(span.upTo)];
    const [from, until] = this.isNewest
      ? [Math.max(low, high - REQUEST_ROWS), high]
      : [low, Math.min(high, low + REQUEST_ROWS)];
    const { rows } = await this.database.pool.query<{ block: number }>({
      name: `trail-requests-${this.order}`,
      text: `SELECT block FROM view.request_blocks WHERE realm_id = $1 AND block BETWEEN $2 AND $3
        AND requests & $4::bit(${REQUEST_BITS}) = $4::bit(${REQUEST_BITS})
        ORDER BY block ${this.isNewest ? 'DESC' : ''} LIMIT $5`,
      values: [this.realmId, from, until, maskOf(requestId), most],
    });
    const blocks = rows.map(({ block }) => block);
    const last = rows.length < most ? (this.isNewest ? from : until) : (blocks.at(-1) ?? from);
    const isDone = last === (this.isNewest ? low : high);
    return this.found(blocks, REQUEST_BLOCK, span, isDone ? null : this.next(last), 1);
  }

  private get isNewest(): boolean {
    return this.order === 'newest';
  }

  private next(block: number): number {
    return this.isNewest ? block - 1 : block + 1;
  }

  /** @param next the block to continue with; null when the whole span was looked at */
  private found(
    blocks: readonly number[],
    size: number,
    span: TrailRange,
    next: number | null,
    steps: number,
  ): CandidateRanges {
    const parts = blocks
      .map((block) => commonRange(span, { after: block * size, upTo: (block + 1) * size }))
      .filter(({ after, upTo }) => after < upTo);
    // The end of a block may be beyond the span.
    const end =
      next === null ? (this.isNewest ? span.after : span.upTo) : this.isNewest ? (next + 1) * size : next * size;
    const inside = Math.min(span.upTo, Math.max(span.after, end));
    const rest = this.isNewest ? { after: span.after, upTo: inside } : { after: inside, upTo: span.upTo };
    return { parts, rest, steps };
  }
}

/** The positions that are in both ranges. The result is empty when `after` is not less than `upTo`. */
export const commonRange = (a: TrailRange, b: TrailRange): TrailRange => ({
  after: Math.max(a.after, b.after),
  upTo: Math.min(a.upTo, b.upTo),
});

/** `$1` realm, `$2` and `$3` first and last block, `$4` blocks that are wanted, `$5` most leaps, then three of each source. */
function leapSql(sources: readonly BlockSource[], isNewest: boolean): string {
  const [beyond, extreme, best, order, step] = isNewest
    ? ['<=', 'max', 'greatest', 'DESC', '-1']
    : ['>=', 'min', 'least', 'ASC', '+1'];
  const farthest = isNewest ? 'least' : 'greatest';
  const names = sources.map((_, n) => `s${n}.block`);
  const lookups = sources.map((_, n) => {
    const [kinds, ids, own] = [`$${6 + 3 * n}`, `$${7 + 3 * n}`, `$${8 + 3 * n}`];
    return `CROSS JOIN LATERAL (SELECT ${best}(${extreme}(b.block),
          CASE WHEN ${own}::int8 ${beyond} p.x THEN ${own}::int8 END) AS block
        FROM unnest(${kinds}::text[], ${ids}::int8[]) AS k(kind, id) CROSS JOIN LATERAL (
          SELECT t.block::int8 FROM view.subject_blocks AS t WHERE t.realm_id = $1 AND t.kind = k.kind
            AND t.subject_id = k.id AND t.block ${beyond} p.x ORDER BY t.block ${order} LIMIT 1) AS b) AS s${n}`;
  });
  const inSpan = `${farthest}(${names.join(', ')}) ${isNewest ? '>=' : '<='} $3::int8`;
  return `WITH RECURSIVE leap(block, is_hit, hits, steps) AS (
      SELECT $2::int8, false, 0, 0
      UNION ALL
      SELECT ${farthest}(${names.join(', ')}), h.is_hit, l.hits + h.is_hit::int4, l.steps + 1
      FROM leap AS l
        CROSS JOIN LATERAL (SELECT CASE WHEN l.is_hit THEN l.block ${step} ELSE l.block END AS x) AS p
        ${lookups.join('\n        ')}
        CROSS JOIN LATERAL (SELECT ${names.map((name) => `${name} = ${names[0] ?? ''}`).join(' AND ')} AS is_hit) AS h
      WHERE l.hits < $4 AND l.steps < $5 AND ${names.map((name) => `${name} IS NOT NULL`).join(' AND ')} AND ${inSpan}
    )
    SELECT block, is_hit AS "isHit", hits FROM leap WHERE steps > 0 ORDER BY steps`;
}

function maskOf(requestId: string): string {
  const bits = new Set(requestBits(requestId));
  return Array.from({ length: REQUEST_BITS }, (_, n) => (bits.has(n) ? '1' : '0')).join('');
}
