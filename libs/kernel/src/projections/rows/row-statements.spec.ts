import { binaryArray } from './binary-arrays';
import { ProjectionFailed } from './row-changes';
import { statementsFor } from './row-sql';
import type { Operation } from '../spec-support/asked';
import { asked } from '../spec-support/asked';
import { projection } from '../spec-support/folding';

describe('rows of a projection', () => {
  it('of a batch are written by few statements, whatever its size', () => {
    const events = Array.from({ length: 500 }, (_, i) =>
      asked((i % 3) + 1, i + 1, [
        { do: 'insert', table: 'things', row: { id: i, topic: 'a', n: 0 } },
        { do: 'update', table: 'things', where: { id: i }, add: { n: 1 } },
        { do: 'insert', table: 'pairs', row: { a: i, b: 'x' } },
      ]),
    );
    const names = statementsFor(projection, events).map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(statementsFor(projection, events.slice(0, 7)).map(({ name }) => name)).toEqual(names);
  });

  it('that close a span or replace a list are written by few statements, between inserts of others', () => {
    const open = (user: number): Operation => ({
      do: 'insert',
      table: 'things',
      row: { id: user, topic: 'a', n: null },
    });
    const close = (user: number): Operation => ({
      do: 'update',
      table: 'things',
      where: { topic: 'a', n: null, big: user },
      set: { n: 1 },
    });
    const replace = (message: number): Operation[] => [
      { do: 'delete', table: 'pairs', where: { a: message } },
      { do: 'insert', table: 'pairs', row: { a: message, b: 'x' } },
      { do: 'insert', table: 'pairs', row: { a: message, b: 'y' } },
    ];
    const operations = Array.from({ length: 500 }, (_, i) => [open(i), close(i), ...replace(i)]);
    const events = operations.map((of, i) => asked(1, i + 1, of));
    expect(statementsFor(projection, events)).toHaveLength(4);
  });

  it('with counters are changed once per batch, by the sum', () => {
    const count: Operation = { do: 'update', table: 'things', where: { id: 7 }, add: { n: 1 } };
    const events = Array.from({ length: 2_000 }, (_, i) => asked(1, i + 1, [count]));
    const statements = statementsFor(projection, events);
    expect(statements).toHaveLength(1);
    const [, ids, sums] = statements[0]?.values ?? [];
    expect(ids).toEqual(binaryArray('int4', [7]));
    expect(sums).toEqual(binaryArray('int4', [2_000]));
  });

  it.each<[string, Operation, RegExp]>([
    ['a table not declared', { do: 'insert', table: 'nothing', row: { id: 1 } }, /no table nothing/],
    ['a column not declared', { do: 'insert', table: 'things', row: { id: 1, x: 1 } }, /no column things.x/],
    ['a row without its key', { do: 'upsert', table: 'pairs', row: { a: 1 } }, /pairs.b is a key: it is missing/],
    ['a text for a number', { do: 'insert', table: 'things', row: { id: 'one' } }, /things.id of type int4/],
    ['a number too large', { do: 'insert', table: 'things', row: { id: 2 ** 31 } }, /things.id of type int4/],
    ['a fraction', { do: 'update', table: 'things', where: { id: 1 }, set: { big: 0.5 } }, /things.big of type int8/],
    ['to count in a text', { do: 'update', table: 'things', where: { id: 1 }, add: { topic: 1 } }, /things.topic of/],
    [
      'bits of another width',
      { do: 'insert', table: 'things', row: { id: 1, bits: Buffer.of(1) } },
      /things.bits of type bit/,
    ],
    ['to count bits', { do: 'update', table: 'things', where: { id: 1 }, add: { bits: 1 } }, /things.bits of type bit/],
    [
      'to search by bits',
      { do: 'delete', table: 'things', where: { bits: 1 } },
      /things.bits of type bit|found by things.bits/,
    ],
    ['to search by JSON', { do: 'delete', table: 'things', where: { extra: 1 } }, /cannot be found by things.extra/],
    ['what its handler throws', { do: 'throw', message: 'not like this' }, /not like this/],
  ])('refuse %s, with the names of projection, realm and position', (_, operation, reason) => {
    const refused = () => statementsFor(projection, [asked(1, 6, []), asked(4, 7, [operation])]);
    expect(refused).toThrow(ProjectionFailed);
    expect(refused).toThrow(/^projection fold failed at position 7 of realm 4: /);
    expect(refused).toThrow(reason);
  });
});
