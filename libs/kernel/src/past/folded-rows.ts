import type { Recorded } from '../domain/index';
import type { Projection, Row, RowChanges, Value } from '../projections/definition/define';
import type { ColumnChanges } from '../projections/rows/row-values';
import { applied } from '../projections/rows/row-values';

/** The rows of one table that the handlers of its projection make of some events, in memory. */
export function foldRows(projection: Projection, table: string, events: readonly Recorded[]): readonly Row[] {
  const folded = new FoldedRows(projection, table);
  for (const event of events) {
    const handle = projection.handlers.get(event.type);
    if (handle === undefined) continue;
    folded.event = event;
    handle(event, folded);
  }
  return folded.rows;
}

class FoldedRows implements RowChanges {
  rows: readonly Row[] = [];
  event: Pick<Recorded, 'realmId' | 'position'> | null = null;
  private readonly key: readonly string[];
  private readonly empty: Row;

  constructor(
    projection: Projection,
    private readonly table: string,
  ) {
    const { key = [], columns = {} } = projection.tables[table] ?? {};
    this.key = key;
    this.empty = Object.fromEntries(Object.keys(columns).map((column) => [column, null]));
  }

  insert(table: string, row: Row): void {
    if (table !== this.table || this.rows.some(this.hasKeyOf(row))) return;
    this.rows = [...this.rows, { realm_id: this.event?.realmId ?? null, ...this.empty, ...this.stamped(row) }];
  }

  upsert(table: string, row: Row): void {
    if (table !== this.table) return;
    if (this.rows.some(this.hasKeyOf(row))) this.change(this.hasKeyOf(row), row);
    else this.insert(table, row);
  }

  update(table: string, where: Row, set: ColumnChanges): void {
    if (table === this.table) this.change(meets(where), set);
  }

  delete(table: string, where: Row): void {
    if (table === this.table) this.rows = this.rows.filter((row) => !meets(where)(row));
  }

  private change(isMeant: (row: Row) => boolean, set: ColumnChanges): void {
    this.rows = this.rows.map((row) => (isMeant(row) ? this.stamped(applied(row, set)) : row));
  }

  private stamped = (row: Row): Row => ({ ...row, last_position: this.event?.position ?? null });

  private hasKeyOf =
    (row: Row) =>
    (other: Row): boolean =>
      this.key.every((column) => other[column] === row[column]);
}

const meets =
  (where: Row) =>
  (row: Row): boolean =>
    Object.entries(where).every(([column, value]: [string, Value]) => row[column] === value);
