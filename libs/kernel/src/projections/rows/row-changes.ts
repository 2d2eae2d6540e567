import type { Recorded } from '../../domain/index';
import type { Projection, Row, RowChanges, TableDefinition, Value } from '../definition/define';
import type { ColumnChanges } from './row-values';
import { applied, fitsColumn, isChange, isComparable, merged } from './row-values';
import type { PlacedOperation, RowChange, Segment } from './segments';
import { Segments } from './segments';

/** A handler failed, or asked for a change that its tables do not have. Has the realm and the position of the event. */
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

/**
 * Segments of one table and one realm, in the order in which they must be applied. Segments of different realms
 * commute.
 */
export type TableChanges = ReadonlyMap<number, readonly Segment[]>;

/**
 * Runs the handlers on events and folds their changes.
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
    const change = this.table(table).rowAt(this.realmId, 'insert', row);
    change.created ??= { values: row, position: this.position };
  }

  upsert(table: string, row: Row): void {
    const target = this.table(table);
    const change = target.rowAt(this.realmId, 'upsert', row);
    const values = target.withoutKey(row);
    if (change.created === null) change.created = { values: row, position: this.position };
    else change.created = { values: applied(change.created.values, values), position: this.position };
    this.setExisting(change, values);
  }

  update(table: string, where: Row, set: ColumnChanges): void {
    const change = this.table(table).rowsWhere(this.realmId, where, set);
    if (change === null) return;
    if (change.created !== null)
      change.created = { values: applied(change.created.values, set), position: this.position };
    this.setExisting(change, set);
  }

  delete(table: string, where: Row): void {
    const change = this.table(table).rowsWhere(this.realmId, where, null);
    if (change === null) return;
    change.created = null;
    change.existing = { kind: 'gone', position: this.position };
  }

  changes(): ReadonlyMap<string, TableChanges> {
    return new Map([...this.tables].map(([name, table]) => [name, table.changes()]));
  }

  private setExisting(change: RowChange, set: ColumnChanges): void {
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
  private readonly realms = new Map<number, Segments>();
  private readonly columns: readonly string[];
  private readonly unique: ReadonlySet<string>;

  constructor(
    private readonly name: string,
    private readonly definition: TableDefinition,
  ) {
    this.columns = Object.keys(definition.columns);
    this.unique = uniqueColumns(definition);
  }

  /** The change of the row with the key of this row. */
  rowAt(realmId: number, kind: 'insert' | 'upsert', row: Row): RowChange {
    this.checkValues(row);
    const { key } = this.definition;
    const match = key.map((column) => row[column] ?? null);
    const missing = key[match.indexOf(null)];
    if (missing !== undefined) throw new Error(`${this.name}.${missing} is a key: it is missing`);
    const alone = kind === 'upsert' && this.disturbsUnique(row);
    return this.segments(realmId).place({ kind, by: key, byKey: true, match, row, target: null, alone });
  }

  /**
   * The change of all rows that meet a condition; null if no row can, as a key is never null.
   * @param set null deletes the rows
   */
  rowsWhere(realmId: number, where: Row, set: ColumnChanges | null): RowChange | null {
    this.checkValues(where);
    this.checkValues(set ?? {});
    const by = this.columnsOf(where);
    const byKey = by === this.definition.key;
    const match = by.map((column) => where[column] ?? null);
    if (byKey && match.includes(null)) return null;
    const operation = { kind: set === null ? 'delete' : 'update', by, byKey, match, row: null } as const;
    return this.segments(realmId).place({ ...operation, ...this.moveOf(by, where, set ?? {}) });
  }

  withoutKey(row: Row): Row {
    return Object.fromEntries(Object.entries(row).filter(([column]) => !this.definition.key.includes(column)));
  }

  changes(): TableChanges {
    return new Map([...this.realms].map(([realmId, segments]) => [realmId, segments.closed()]));
  }

  private checkValues(values: ColumnChanges): void {
    for (const column in values) {
      const type = this.definition.columns[column];
      if (type === undefined) throw new Error(`there is no column ${this.name}.${column}`);
      const value = values[column];
      if (!fitsColumn(type, value))
        throw new TypeError(`${this.name}.${column} of type ${type} cannot take this ${typeof value}`);
    }
  }

  /** The columns of a condition, in declared order; the key itself if the condition names exactly the key. */
  private columnsOf(where: Row): readonly string[] {
    const named = Object.keys(where);
    const { key } = this.definition;
    if (named.length === key.length && key.every((column) => column in where)) return key;
    for (const column of named)
      if (!isComparable(this.definition.columns[column]))
        throw new Error(`rows cannot be found by ${this.name}.${column}`);
    return this.columns.filter((column) => column in where);
  }

  /** The condition that the rows meet after the change, if it is another one. A changed key is not supported. */
  private moveOf(by: readonly string[], where: Row, set: ColumnChanges): Pick<PlacedOperation, 'target' | 'alone'> {
    const changed = Object.keys(set).filter((column) => set[column] !== where[column]);
    const alone = changed.some((column) => this.definition.key.includes(column)) || this.disturbsUnique(set);
    if (alone || !changed.some((column) => column in where)) return { target: null, alone };
    const target = by.map((column) => (column in set ? set[column] : where[column]) ?? null);
    const values = target.filter((value): value is Value => !isChange(value));
    return values.length === target.length ? { target: values, alone } : { target: null, alone: true };
  }

  /** Two rows that exchange a unique name must be changed in the given order. */
  private disturbsUnique(set: ColumnChanges): boolean {
    return this.unique.size > 0 && Object.keys(set).some((column) => this.unique.has(column));
  }

  private segments(realmId: number): Segments {
    let segments = this.realms.get(realmId);
    if (segments === undefined) this.realms.set(realmId, (segments = new Segments(realmId, this.definition.key)));
    return segments;
  }
}

/** Columns of unique indexes other than the key, also those in expressions. */
function uniqueColumns(definition: TableDefinition): ReadonlySet<string> {
  const texts = (definition.indexes ?? [])
    .filter(({ unique }) => unique)
    .flatMap(({ on, where }) => [...on, where ?? '']);
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  return new Set(
    Object.keys(definition.columns).filter((column) => words.has(column) && !definition.key.includes(column)),
  );
}
