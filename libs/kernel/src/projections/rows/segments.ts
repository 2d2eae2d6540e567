import type { Row, Value } from '../definition/define';
import type { ColumnChanges } from './row-values';

/**
 * The result of the folded operations for one row, in both cases, because only the database knows whether the row
 * exists. `created` is the new row if there was none. `existing` is the change of an existing row.
 */
export interface RowChange {
  readonly realmId: number;
  /** Values of the segment's `by` columns. */
  readonly match: readonly Value[];
  created: { readonly values: Row; readonly position: number } | null;
  existing:
    | { readonly kind: 'set'; readonly values: ColumnChanges; readonly position: number }
    | { readonly kind: 'gone'; readonly position: number }
    | null;
}

/**
 * Operations that commute unless they affect the same row. `by` mostly is the primary key. Updates by other columns
 * (all messages of a topic) are segments of their own, and never create rows.
 */
export interface Segment {
  readonly by: readonly string[];
  readonly rows: readonly RowChange[];
}

/** The parts of an operation of a handler that decide its order among the others. */
export interface PlacedOperation {
  readonly kind: 'insert' | 'upsert' | 'update' | 'delete';
  /** The columns and values by which its rows are found. */
  readonly by: readonly string[];
  readonly match: readonly Value[];
  /** Whether `by` is the primary key. */
  readonly byKey: boolean;
  /** All values of a new row; null if an operation does not know them. */
  readonly row: Row | null;
  /** The values of `by` in its rows afterwards, if the operation changes them. */
  readonly target: readonly Value[] | null;
  /** Whether the operation must keep its place among all others. */
  readonly alone: boolean;
}

/**
 * Maximum of segments that an operation may be moved across. More conflicts in one batch are rare and only cost time.
 */
const REACH = 4;

/** Distributes the operations on one table and realm to as few segments as their outcome allows. */
export class Segments {
  private readonly list: OpenSegment[] = [];

  constructor(
    private readonly realmId: number,
    private readonly key: readonly string[],
  ) {}

  /** The change that the operation is folded into. */
  place(operation: PlacedOperation): RowChange {
    for (let i = this.list.length - 1; i >= Math.max(0, this.list.length - REACH); i -= 1) {
      const segment = this.list[i];
      if (segment?.takes(operation)) return segment.add(operation, this.realmId);
      if (!segment?.commutesWith(operation)) break;
    }
    const segment = new OpenSegment(operation, this.key);
    this.list.push(segment);
    return segment.add(operation, this.realmId);
  }

  closed(): Segment[] {
    return this.list.map((segment) => segment.closed());
  }
}

class OpenSegment {
  private readonly by: readonly string[];
  private readonly byId: string;
  private readonly byKey: boolean;
  private readonly open: boolean;
  private readonly changes = new Map<string | number, RowChange>();
  /** Conditions whose rows received other values, with the conditions that these rows meet now. */
  private readonly vacated = new Set<string | number>();
  private readonly targets = new Set<string | number>();
  private readonly indexes = new Map<string, { readonly by: readonly string[]; readonly ids: Set<string | number> }>();
  private onlyInserts = true;
  private hasDeletes = false;

  constructor(
    { by, byKey, alone }: PlacedOperation,
    private readonly key: readonly string[],
  ) {
    this.by = by;
    this.byId = by.join();
    this.byKey = byKey;
    this.open = !alone;
  }

  /**
   * Whether the operation can be folded in: it finds its rows in the same way, and shares none with another change of
   * the segment.
   */
  takes({ by, byKey, match, target, alone }: PlacedOperation): boolean {
    if (!this.open || alone || byKey !== this.byKey) return false;
    if (!byKey && by.join() !== this.byId) return false;
    const id = idOf(match);
    if (this.vacated.has(id) || this.targets.has(id)) return false;
    return target === null || !this.changes.has(idOf(target));
  }

  /**
   * Whether the operation may move before this segment. One finds rows by key and the other by a condition. They have
   * no row in common if the key excludes the condition, or if one only inserts rows that do not meet it and the other
   * only updates.
   */
  commutesWith(operation: PlacedOperation): boolean {
    if (!this.open || operation.alone || this.byKey === operation.byKey) return false;
    const condition = this.byKey ? operation.by : this.by;
    if (!condition.every((column) => this.key.includes(column))) {
      const onlyInserts = this.byKey ? this.onlyInserts : operation.kind === 'insert';
      const hasDeletes = this.byKey ? operation.kind === 'delete' : this.hasDeletes;
      if (!onlyInserts || hasDeletes) return false;
    }
    return this.byKey
      ? !this.index(condition).has(idOf(operation.match))
      : !this.changes.has(idOf(known(condition, operation.by, operation.match, operation.row)));
  }

  add({ kind, by, match, row, target }: PlacedOperation, realmId: number): RowChange {
    if (kind !== 'insert') this.onlyInserts = false;
    if (kind === 'delete') this.hasDeletes = true;
    const id = idOf(match);
    if (target !== null) {
      this.vacated.add(id);
      this.targets.add(idOf(target));
    }
    const before = this.changes.get(id);
    if (before !== undefined) return before;
    const change: RowChange = { realmId, match, created: null, existing: null };
    this.changes.set(id, change);
    for (const index of this.indexes.values()) index.ids.add(idOf(known(index.by, by, match, row)));
    return change;
  }

  closed(): Segment {
    return { by: this.by, rows: [...this.changes.values()] };
  }

  /** The values of some columns in all rows of a segment by key: from the key, or from rows that are only inserted. */
  private index(columns: readonly string[]): ReadonlySet<string | number> {
    const name = columns.join();
    let index = this.indexes.get(name);
    if (index === undefined) {
      const values = [...this.changes.values()].map(({ match, created }) =>
        known(columns, this.by, match, created?.values ?? null),
      );
      this.indexes.set(name, (index = { by: columns, ids: new Set(values.map(idOf)) }));
    }
    return index.ids;
  }
}

function known(columns: readonly string[], by: readonly string[], match: readonly Value[], row: Row | null): Value[] {
  return columns.map((column) => {
    const i = by.indexOf(column);
    return (i >= 0 ? match[i] : row?.[column]) ?? null;
  });
}

function idOf(match: readonly Value[]): string | number {
  const [first, second, third] = match;
  if (match.length === 1 && typeof first === 'number') return first;
  // No JSON list begins with a quote.
  if (match.length === 1 && typeof first === 'string') return `"${first}`;
  // Most keys are two ids. Their text differs from any JSON list.
  if (match.length === 2 && typeof first === 'number' && typeof second === 'number') return `${first},${second}`;
  // The key of the index of subjects, which has several rows for each event. No number has a comma in its text.
  if (match.length === 3 && typeof first === 'string' && typeof second === 'number' && typeof third === 'number')
    return `${second},${third},${first}`;
  return JSON.stringify(match);
}
