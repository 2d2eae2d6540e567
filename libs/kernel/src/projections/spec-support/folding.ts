import fc from 'fast-check';
import type { Recorded } from '../../domain/index';
import { defineProjection } from '../definition/define';
import type { Operation } from './asked';
import { doAsAsked } from './asked';
import type { ModelRow } from './model';

/** A projection with tables of every kind, which runs the operations of its events. */
export const projection = defineProjection({
  name: 'fold',
  version: 1,
  lifecycle: 'inline',
  tables: {
    things: {
      columns: {
        id: 'int4',
        topic: 'text',
        n: 'int4',
        big: 'int8',
        words: 'text[]',
        ids: 'int8[]',
        extra: 'jsonb',
        bits: 'bit(16)',
      },
      key: ['id'],
      indexes: [{ on: ['topic'] }],
    },
    pairs: { columns: { a: 'int2', b: 'text', flag: 'bool' }, key: ['a', 'b'], changesOften: true },
    named: { columns: { id: 'int4', name: 'text' }, key: ['id'], indexes: [{ on: ['lower(name)'], unique: true }] },
  },
  handlers: [doAsAsked],
});

const one = <T>(value: T) => fc.constant(value);
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
const id = fc.integer({ min: 1, max: 3 });
const topic = fc.constantFrom('a', 'b', null);
const n = fc.option(fc.integer({ min: 0, max: 2 }));
const further = {
  big: fc.option(fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -1, 0, 2 ** 32)),
  words: fc.option(fc.array(fc.constantFrom('', 'NULL', '"', '\\', '{a,b}', 'é'), { maxLength: 2 })),
  ids: fc.option(fc.array(fc.integer(), { maxLength: 2 })),
  extra: fc.option(fc.constantFrom({ x: [1, null] }, 'text', 7, [], false)),
};
const numbersOfBits = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 3 });
const bits = fc.oneof(fc.record({ set: numbersOfBits }), fc.record({ clear: numbersOfBits }));
const thing = { topic, n, ...further };
const pair = { a: fc.integer({ min: 0, max: 2 }), b: fc.constantFrom('x', 'y') };

const things = fc.oneof(
  fc.record({ do: fc.constantFrom('insert', 'upsert'), row: fc.record({ id, ...thing }, { requiredKeys: ['id'] }) }),
  fc.record({ do: fc.constantFrom('insert', 'upsert'), row: fc.record({ id, topic, n }) }),
  fc.record({ do: one('update'), where: fc.record({ id }), set: some(thing), add: one({}) }),
  fc.record({ do: one('update'), where: fc.record({ id }), add: fc.record({ n: id }) }),
  fc.record({ do: one('update'), where: fc.record({ topic }), set: some({ topic, ...further }), add: some({ n: id }) }),
  fc.record({ do: one('update'), where: fc.record({ topic }), set: fc.record({ topic }) }),
  fc.record({ do: one('update'), where: fc.record({ topic, n }), set: some(thing) }),
  fc.record({
    do: one('update'),
    where: fc.oneof(fc.record({ id }), fc.record({ topic })),
    raise: fc.record({ big: fc.integer({ min: -9 }) }),
  }),
  fc.record({ do: one('update'), where: fc.record({ topic, n }), add: fc.record({ n: fc.constantFrom(1, -1) }) }),
  fc.record({ do: one('update'), where: fc.oneof(fc.record({ id }), fc.record({ topic })), bits: fc.record({ bits }) }),
  fc.record({ do: one('update'), where: one({}), set: some({ n }) }),
  fc.record({ do: one('delete'), where: fc.oneof(fc.record({ id }), fc.record({ topic }), fc.record({ topic, n })) }),
);
const pairs = fc.oneof(
  fc.record({ do: fc.constantFrom('insert', 'upsert'), row: fc.record({ ...pair, flag: fc.boolean() }) }),
  fc.record({ do: one('update'), where: some(pair), set: fc.record({ flag: fc.boolean() }) }),
  fc.record({ do: one('delete'), where: some(pair) }),
);
const operation = fc.oneof(
  things.map((asks) => ({ table: 'things', ...asks }) as Operation),
  pairs.map((asks) => ({ table: 'pairs', ...asks }) as Operation),
);
/** The operations of one event in one realm. */
const entry = fc.record({
  realm: fc.integer({ min: 1, max: 2 }),
  operations: fc.array(operation, { maxLength: 5, size: 'max' }),
});
export const log = fc.array(entry, { minLength: 10, maxLength: 60, size: 'max' });
/** Sizes of batches. */
export const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

/** Batches of these sizes, again and again. */
export function cut(events: readonly Recorded[], sizes: readonly number[]): Recorded[][] {
  const batches: Recorded[][] = [];
  for (let from = 0; from < events.length; from += batches.at(-1)?.length ?? 0)
    batches.push(events.slice(from, from + (sizes[batches.length % sizes.length] ?? 1)));
  return batches;
}

/** Which parser of int8 a spec sees depends on the first module that set one in the driver. */
export const numbers = (row: ModelRow, columns: readonly string[]) =>
  Object.fromEntries(columns.flatMap((column) => (row[column] == null ? [] : [[column, Number(row[column])]])));
export const numberLists = (row: ModelRow) => (Array.isArray(row['ids']) ? { ids: row['ids'].map(Number) } : {});

export const inOrder = (rows: readonly ModelRow[], by: readonly string[]) =>
  [...rows].sort((a, b) => {
    const column = by.find((name) => a[name] !== b[name]);
    return column === undefined ? 0 : (a[column] ?? 0) < (b[column] ?? 0) ? -1 : 1;
  });
