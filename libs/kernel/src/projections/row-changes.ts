import type { Recorded } from '../domain/index';
import type { Projection, Row, RowChanges, TableDefinition, Value } from './define';
import type { Settings } from './row-values';
import { applied, fits, isComparable, merged } from './row-values';

/** A handler threw, or asked for something its tables do not have. Carries where in which realm's log. */
export class ProjectionFailed extends Error {
  constructor(
    readonly projection: string,
    readonly realmId: number,
    readonly position: number,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`projection ${projection} failed at position ${position} of realm ${realmId}: ${reason}`, { cause });
    this.name = 'ProjectionFailed';
  }
}

interface Written {
  readonly values: Settings;
  readonly position: number;
}

/**
 * What the folded operations do to one row, in both cases: whether it is there is known to the database only.
 * `created` is the row that results where there was none; `existing` is what happens to one that was there before.
 */
export interface RowChange {
  readonly realmId: number;
  /** Values of the segment's `by` columns. */
  readonly match: readonly Value[];
  created: { readonly values: Row; readonly position: number } | null;
  existing: (Written & { readonly kind: 'set' }) | { readonly kind: 'gone'; readonly position: number } | null;
}

/**
 * Operations that commute unless they meet in the same row. Usually `by` is the primary key; updates by other columns
 * (all messages of a topic) form segments of their own, whose changes never create rows.
 */
export interface Segment {
  readonly by: readonly string[];
  readonly rows: readonly RowChange[];
}

interface OpenSegment {
  readonly by: readonly string[];
  readonly byId: string;
  /** False for an operation that changes what rows are found by: nothing commutes with it. */
  readonly open: boolean;
  readonly changes: Map<string | number, RowChange>;
}

/** Segments of one table and one realm, in the order in which they must be applied. Realms commute. */
export type TableChanges = ReadonlyMap<number, readonly Segment[]>;

/**
 * Runs the handlers over events and folds what they ask for.
 * @param events in log order within each realm; realms may be mixed
 * @returns changes by table name
 * @throws ProjectionFailed
 */
export function collectChanges(projection: Projection, events: readonly Recorded[]): ReadonlyMap<string, TableChanges> {
  const collector = new Collector(projection);
  for (const event of events) {
    const handle = projection.handlers.get(event.type);
    if (handle === undefined) continue;
    collector.realmId = event.realmId;
    collector.position = event.position;
    try {
      handle(event, collector);
    } catch (cause) {
      throw new ProjectionFailed(projection.name, event.realmId, event.position, cause);
    }
  }
  return collector.changes();
}

class Collector implements RowChanges {
  realmId = 0;
  position = 0;
  private readonly tables = new Map<string, CollectedTable>();

  constructor(private readonly projection: Projection) {}

  insert(table: string, row: Row): void {
    const target = this.table(table);
    target.checkRow(row);
    const change = target.byKey(this.realmId, row, false);
    change.created ??= { values: row, position: this.position };
  }

  upsert(table: string, row: Row): void {
    const target = this.table(table);
    target.checkRow(row);
    const values = target.withoutKey(row);
    const change = target.byKey(this.realmId, row, target.disturbsUnique(values));
    if (change.created === null) change.created = { values: row, position: this.position };
    else change.created = { values: applied(change.created.values, values), position: this.position };
    this.setExisting(change, values);
  }

  update(table: string, where: Row, set: Settings): void {
    const target = this.table(table);
    target.checkValues(where);
    target.checkValues(set);
    const by = target.columnsOf(where);
    const change = target.matching(this.realmId, by, where, target.disturbs(by, set));
    if (change === null) return;
    if (change.created !== null)
      change.created = { values: applied(change.created.values, set), position: this.position };
    this.setExisting(change, set);
  }

  delete(table: string, where: Row): void {
    const target = this.table(table);
    target.checkValues(where);
    const change = target.matching(this.realmId, target.columnsOf(where), where, false);
    if (change === null) return;
    change.created = null;
    change.existing = { kind: 'gone', position: this.position };
  }

  changes(): ReadonlyMap<string, TableChanges> {
    return new Map([...this.tables].map(([name, table]) => [name, table.segments()]));
  }

  private setExisting(change: RowChange, set: Settings): void {
    const before = change.existing;
    if (before?.kind === 'gone') return;
    const values = before === null ? set : merged(before.values, set);
    change.existing = { kind: 'set', values, position: this.position };
  }

  private table(name: string): CollectedTable {
    let table = this.tables.get(name);
    if (table === undefined) {
      const definition = this.projection.tables[name];
      if (definition === undefined) throw new Error(`there is no table ${name}`);
      this.tables.set(name, (table = new CollectedTable(name, definition)));
    }
    return table;
  }
}

class CollectedTable {
  private readonly realms = new Map<number, OpenSegment[]>();
  private readonly columns: readonly string[];
  private readonly keyId: string;
  private readonly unique: ReadonlySet<string>;

  constructor(
    private readonly name: string,
    private readonly definition: TableDefinition,
  ) {
    this.columns = Object.keys(definition.columns);
    this.keyId = definition.key.join();
    this.unique = uniqueColumns(definition);
  }

  checkRow(row: Row): void {
    this.checkValues(row);
    for (const column of this.definition.key)
      if (row[column] === undefined || row[column] === null)
        throw new Error(`${this.name}.${column} is a key: it is missing`);
  }

  checkValues(values: Settings): void {
    for (const column in values) {
      const type = this.definition.columns[column];
      if (type === undefined) throw new Error(`there is no column ${this.name}.${column}`);
      const value = values[column];
      if (!fits(type, value))
        throw new TypeError(`${this.name}.${column} of type ${type} cannot take this ${typeof value}`);
    }
  }

  withoutKey(row: Row): Row {
    return Object.fromEntries(Object.entries(row).filter(([column]) => !this.definition.key.includes(column)));
  }

  /** The columns a condition names, in declared order; the key itself where it names exactly the key. */
  columnsOf(where: Row): readonly string[] {
    const named = Object.keys(where);
    const { key } = this.definition;
    if (named.length === key.length && key.every((column) => column in where)) return key;
    for (const column of named)
      if (!isComparable(this.definition.columns[column]))
        throw new Error(`rows cannot be found by ${this.name}.${column}`);
    return this.columns.filter((column) => column in where);
  }

  disturbs(by: readonly string[], set: Settings): boolean {
    return by.some((column) => column in set) || this.disturbsUnique(set);
  }

  /** Two rows that exchange a unique name must do it in the order given. */
  disturbsUnique(set: Settings): boolean {
    if (this.unique.size === 0) return false;
    return Object.keys(set).some((column) => this.unique.has(column));
  }

  byKey(realmId: number, row: Row, alone: boolean): RowChange {
    return this.change(realmId, this.definition.key, row, alone);
  }

  /** Null when no row can match: a key is never null. */
  matching(realmId: number, by: readonly string[], where: Row, alone: boolean): RowChange | null {
    if (by === this.definition.key && by.some((column) => where[column] === null)) return null;
    return this.change(realmId, by, where, alone);
  }

  segments(): TableChanges {
    const closed = ({ by, changes }: OpenSegment): Segment => ({ by, rows: [...changes.values()] });
    return new Map([...this.realms].map(([realmId, segments]) => [realmId, segments.map(closed)]));
  }

  private change(realmId: number, by: readonly string[], row: Row, alone: boolean): RowChange {
    const { changes } = this.segment(realmId, by, alone);
    const match = by.map((column) => row[column] as Value);
    const only = match[0];
    const id = match.length === 1 && typeof only === 'number' ? only : JSON.stringify(match);
    let change = changes.get(id);
    if (change === undefined) changes.set(id, (change = { realmId, match, created: null, existing: null }));
    return change;
  }

  private segment(realmId: number, by: readonly string[], alone: boolean): OpenSegment {
    let segments = this.realms.get(realmId);
    if (segments === undefined) this.realms.set(realmId, (segments = []));
    const last = segments.at(-1);
    const byId = by === this.definition.key ? this.keyId : by.join();
    if (last?.open && !alone && last.byId === byId) return last;
    const segment: OpenSegment = { by, byId, open: !alone, changes: new Map() };
    segments.push(segment);
    return segment;
  }
}

/** Columns on which a unique index rests, found by name also within expressions. */
function uniqueColumns(definition: TableDefinition): ReadonlySet<string> {
  const texts = (definition.indexes ?? [])
    .filter(({ unique }) => unique)
    .flatMap(({ on, where }) => [...on, where ?? '']);
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  return new Set(Object.keys(definition.columns).filter((column) => words.has(column)));
}
