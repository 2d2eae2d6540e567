import type { Instant, Position, RealmId, Recorded } from '../../domain/index';
import { defineEvent, t } from '../../domain/index';
import type { Row, RowChanges, Setting } from '../definition/define';
import { atLeast, increment, on } from '../definition/define';

type Numbers = Readonly<Record<string, number>>;

/** An operation on a table, as data. `add` holds increments, `raise` the least a column is to be. */
export type Operation =
  | { do: 'insert' | 'upsert'; table: string; row: Row }
  | { do: 'update'; table: string; where: Row; set?: Row; add?: Numbers; raise?: Numbers }
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
      return rows.update(operation.table, operation.where, settingsOf(operation));
    case 'delete':
      return rows.delete(operation.table, operation.where);
    case 'throw':
      throw new Error(operation.message);
  }
}

const settingsOf = ({ set, add, raise }: Extract<Operation, { do: 'update' }>): Record<string, Setting> => ({
  ...set,
  ...each(add, increment),
  ...each(raise, atLeast),
});

const each = (numbers: Numbers = {}, setting: (n: number) => Setting): Record<string, Setting> =>
  Object.fromEntries(Object.entries(numbers).map(([column, n]) => [column, setting(n)]));

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
