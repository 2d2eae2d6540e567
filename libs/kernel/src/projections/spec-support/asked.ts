import type { Instant, Position, RealmId, Recorded } from '../../domain/index';
import { defineEvent, t } from '../../domain/index';
import type { Increment, Row, RowChanges } from '../define';
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
