import type { Instant, Position, RealmId, Recorded } from '../../domain/index';
import { defineEvent, t } from '../../domain/index';
import type { Row, RowChanges, ColumnChange } from '../definition/define';
import { clearBits, setBits } from '../definition/bits';
import { atLeast, increment, on } from '../definition/define';

type Numbers = Readonly<Record<string, number>>;
/** By column, which bits to set, and which to clear instead. */
type BitsAsked = Readonly<Record<string, { readonly set: readonly number[] } | { readonly clear: readonly number[] }>>;

/** Bits of each column of bits in specs. */
export const WIDTH = 16;

/**
 * An operation on a table, as data. `add` holds increments, `raise` lower bounds of columns, `bits` those to set and to
 * clear.
 */
export type Operation =
  | { do: 'insert' | 'upsert'; table: string; row: Row }
  | { do: 'update'; table: string; where: Row; set?: Row; add?: Numbers; raise?: Numbers; bits?: BitsAsked }
  | { do: 'delete'; table: string; where: Row }
  | { do: 'throw'; message: string };

/** An event that contains the operations of a projection, so that a spec can run any sequence of them. */
export const Asked = defineEvent('spec.Asked', { data: t.Unsafe<readonly Operation[]>(t.Unknown()) });

/** The handler that runs the operations. */
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

const settingsOf = ({ set, add, raise, bits }: Extract<Operation, { do: 'update' }>): Record<string, ColumnChange> => ({
  ...set,
  ...each(add, increment),
  ...each(raise, atLeast),
  ...each(bits, (asked) => ('set' in asked ? setBits(WIDTH, asked.set) : clearBits(WIDTH, asked.clear))),
});

const each = <T>(
  asked: Readonly<Record<string, T>> = {},
  setting: (one: T) => ColumnChange,
): Record<string, ColumnChange> =>
  Object.fromEntries(Object.entries(asked).map(([column, one]) => [column, setting(one)]));

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
