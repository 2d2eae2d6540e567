import type { Instant, Position, RealmId, Recorded } from '../../domain/index';
import { defineEvent, t } from '../../domain/index';
import type { Increment, Row, RowChanges, Value } from '../define';
import { increment, on } from '../define';

/** An operation on a table, as data. `add` holds increments. */
export type Operation =
  | { do: 'insert' | 'upsert'; table: string; row: Row }
  | { do: 'update'; table: string; where: Row; set?: Row; add?: Readonly<Record<string, number>> }
  | { do: 'delete'; table: string; where: Row }
  | { do: 'throw'; message: string };

/** An event that says itself what a projection shall do: lets a spec play any sequence of operations. */
export const Asked = defineEvent('spec.Asked', { data: t.Unsafe<readonly Operation[]>(t.Unknown()) });

/** The handler that does what is asked. */
export const doAsAsked = on(Asked, ({ data }, rows) => data.forEach((operation) => run(operation, rows)));

function run(operation: Operation, rows: RowChanges): void {
  switch (operation.do) {
    case 'insert':
      return rows.insert(operation.table, operation.row);
    case 'upsert':
      return rows.upsert(operation.table, operation.row);
    case 'update':
      return rows.update(operation.table, operation.where, { ...operation.set, ...increments(operation.add) });
    case 'delete':
      return rows.delete(operation.table, operation.where);
    case 'throw':
      throw new Error(operation.message);
  }
}

const increments = (add: Readonly<Record<string, number>> = {}): Record<string, Increment> =>
  Object.fromEntries(Object.entries(add).map(([column, by]) => [column, increment(by)]));

/** A stored `Asked`; it is an append of its own unless a command is named. */
export function asked(realm: number, position: number, operations: readonly Operation[], command?: string): Recorded {
  return {
    type: Asked.type,
    data: operations,
    sealed: null,
    realmId: realm as RealmId,
    position: position as Position,
    stream: `asked-${position}`,
    version: 1,
    at: (1_750_000_000_000 + position) as Instant,
    actorId: null,
    commandId: command ?? `command-${position}`,
    correlation: `command-${position}`,
    causation: null,
    client: 'spec',
  };
}

export type ModelRow = Record<string, Value>;

/** What the operations mean, said as plainly as possible: one after the other, on rows in memory. */
export class Model {
  private readonly tables = new Map<string, ModelRow[]>();

  constructor(private readonly columns: Readonly<Record<string, { columns: object; key: readonly string[] }>>) {}

  apply({ realmId, position, data }: Recorded): void {
    for (const operation of data as readonly Operation[]) this.run(operation, realmId, position);
  }

  rows(table: string): ModelRow[] {
    return this.tables.get(table) ?? [];
  }

  private run(operation: Operation, realm: number, position: number): void {
    if (operation.do === 'throw') throw new Error(operation.message);
    const { table } = operation;
    if ('row' in operation) return this.put(operation, realm, position);
    const all = Object.entries({ realm_id: realm, ...operation.where });
    const matches = (row: ModelRow) => all.every(([column, value]) => row[column] === value);
    if (operation.do === 'delete')
      return void this.tables.set(
        table,
        this.rows(table).filter((row) => !matches(row)),
      );
    for (const row of this.rows(table).filter(matches)) {
      Object.assign(row, operation.set, { last_position: position });
      for (const [column, by] of Object.entries(operation.add ?? {})) row[column] = Number(row[column] ?? 0) + by;
    }
  }

  private put(put: Extract<Operation, { row: Row }>, realm: number, position: number): void {
    const { columns, key } = this.columns[put.table] ?? { columns: {}, key: [] };
    const found = this.rows(put.table).find(
      (row) => row['realm_id'] === realm && key.every((column) => row[column] === put.row[column]),
    );
    if (found !== undefined && put.do === 'insert') return;
    if (found !== undefined) return void Object.assign(found, put.row, { last_position: position });
    const empty = Object.fromEntries(Object.keys(columns).map((column) => [column, null]));
    const row = { realm_id: realm, ...empty, ...put.row, last_position: position };
    this.tables.set(put.table, [...this.rows(put.table), row]);
  }
}
