import type { Recorded } from '../../domain/index';
import type { Row, Value } from '../definition/define';
import type { Operation } from './asked';
import { WIDTH } from './asked';

export type ModelRow = Record<string, Value>;

/** Bits as PostgreSQL displays them. */
function changed(
  before: Value | undefined,
  asked: { readonly set: readonly number[] } | { readonly clear: readonly number[] },
): string {
  const bits = typeof before === 'string' ? [...before] : Array.from({ length: WIDTH }, () => '0');
  for (const bit of 'set' in asked ? asked.set : asked.clear) bits[bit] = 'set' in asked ? '1' : '0';
  return bits.join('');
}

/** The meaning of the operations in the simplest form: one after the other, on rows in memory. */
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
      for (const [column, least] of Object.entries(operation.raise ?? {})) {
        row[column] = Math.max(Number(row[column] ?? least), least);
      }
      for (const [column, asked] of Object.entries(operation.bits ?? {})) row[column] = changed(row[column], asked);
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
