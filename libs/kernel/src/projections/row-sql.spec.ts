import fc from 'fast-check';
import { Client } from 'pg';
import type { Recorded } from '../domain/index';
import type { TestDatabase } from '../../../../test/support/database';
import { createTestDatabase } from '../../../../test/support/database';
import type { Increment, Row, RowChanges, Value } from './define';
import { defineProjection, increment, on } from './define';
import { ProjectionFailed } from './row-changes';
import { BY_INDEX_SQL, statementsFor } from './row-sql';
import { createIndexes, createTables } from './tables';
import { Asked, asked } from './spec-support/asked';

const projection = defineProjection({
  name: 'fold',
  version: 1,
  lifecycle: 'inline',
  tables: {
    things: {
      columns: { id: 'int4', topic: 'text', n: 'int4', big: 'int8', words: 'text[]', ids: 'int8[]', extra: 'jsonb' },
      key: ['id'],
      indexes: [{ on: ['topic'] }],
    },
    pairs: { columns: { a: 'int2', b: 'text', flag: 'bool' }, key: ['a', 'b'], changesOften: true },
    named: { columns: { id: 'int4', name: 'text' }, key: ['id'], indexes: [{ on: ['lower(name)'], unique: true }] },
  },
  handlers: [on(Asked, ({ data }, rows) => data.forEach((operation) => run(operation, rows)))],
});

type Operation =
  | { do: 'insert' | 'upsert'; table: string; row: Row }
  | { do: 'update'; table: string; where: Row; set: Record<string, Value>; add?: Record<string, number> }
  | { do: 'delete'; table: string; where: Row };

function run(asking: unknown, rows: RowChanges): void {
  const operation = asking as Operation;
  switch (operation.do) {
    case 'insert':
      return rows.insert(operation.table, operation.row);
    case 'upsert':
      return rows.upsert(operation.table, operation.row);
    case 'delete':
      return rows.delete(operation.table, operation.where);
    case 'update': {
      const added = Object.entries(operation.add ?? {}).map(([column, by]): [string, Increment] => [
        column,
        increment(by),
      ]);
      return rows.update(operation.table, operation.where, { ...operation.set, ...Object.fromEntries(added) });
    }
  }
}

const id = fc.integer({ min: 1, max: 4 });
const topic = fc.constantFrom('a', 'b', null);
const number = fc.option(fc.integer({ min: -9, max: 9 }));
const thing = {
  topic,
  n: number,
  big: fc.option(fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -1, 0, 2 ** 32)),
  words: fc.option(fc.array(fc.constantFrom('', 'NULL', '"', '\\', '{a,b}', 'é'), { maxLength: 2 })),
  ids: fc.option(fc.array(fc.integer(), { maxLength: 2 })),
  extra: fc.option(fc.constantFrom({ x: [1, null] }, 'text', 7, [], false)),
};
const someOf = (model: object) => fc.record(model, { requiredKeys: [] });
const thingRow = fc.record({ id, ...thing }, { requiredKeys: ['id'] });
const pair = { a: fc.integer({ min: 0, max: 1 }), b: fc.constantFrom('x', 'y') };
const table = <T>(name: string, arbitrary: fc.Arbitrary<T>) => arbitrary.map((one) => ({ table: name, ...one }));

const operation = fc.oneof(
  table('things', fc.record({ do: fc.constantFrom('insert', 'upsert'), row: thingRow })),
  table('things', fc.record({ do: fc.constant('update'), where: fc.record({ id }), set: someOf(thing) })),
  table(
    'things',
    fc.record({ do: fc.constant('update'), where: fc.record({ id }), add: fc.record({ n: id }), set: fc.constant({}) }),
  ),
  table(
    'things',
    fc.record({ do: fc.constant('update'), where: fc.record({ topic }), set: someOf(thing), add: someOf({ n: id }) }),
  ),
  table('things', fc.record({ do: fc.constant('update'), where: fc.record({ topic, n: number }), set: someOf(thing) })),
  table('things', fc.record({ do: fc.constant('delete'), where: fc.record({ id }) })),
  table('things', fc.record({ do: fc.constant('delete'), where: someOf({ topic, n: number }) })),
  table(
    'pairs',
    fc.record({ do: fc.constantFrom('insert', 'upsert'), row: fc.record({ ...pair, flag: fc.boolean() }) }),
  ),
  table('pairs', fc.record({ do: fc.constant('update'), where: someOf(pair), set: fc.record({ flag: fc.boolean() }) })),
  table('pairs', fc.record({ do: fc.constant('delete'), where: someOf(pair) })),
);

const log = fc.array(
  fc.record({ realm: fc.integer({ min: 1, max: 2 }), operations: fc.array(operation, { maxLength: 3 }) }),
  {
    minLength: 1,
    maxLength: 25,
  },
);

describe('rows of a projection', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    for (const schema of ['one_by_one', 'batched']) {
      await client.query(`CREATE SCHEMA ${schema}`);
      for (const ddl of [...createTables(projection, schema), ...createIndexes(projection, schema)])
        await client.query(ddl);
    }
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  beforeEach(() => clear());

  const clear = async () => {
    for (const schema of ['one_by_one', 'batched'])
      await client.query(`TRUNCATE ${schema}.things, ${schema}.pairs, ${schema}.named`);
  };
  const apply = async (events: readonly Recorded[], schema: string) => {
    for (const statement of statementsFor(projection, events, schema)) await client.query(statement);
  };
  const rowsOf = async (schema: string, name: string) =>
    (await client.query<object>(`SELECT * FROM ${schema}.${name} ORDER BY 1, 2, 3`)).rows;
  const all = async (schema: string) => ({
    things: await rowsOf(schema, 'things'),
    pairs: await rowsOf(schema, 'pairs'),
    named: await rowsOf(schema, 'named'),
  });

  /** The plan the lane would keep: generic, made before any value is known. */
  const planOf = async (operation: object) => {
    const [statement] = statementsFor(projection, [asked(1, 2, [operation])], 'fresh');
    await client.query(`PREPARE probe AS ${statement?.text}`);
    const values = statement?.values.map(() => "'{1}'").join();
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE probe(${values})`);
    await client.query('DEALLOCATE probe');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it('come out the same however the log is cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), async (entries, sizes) => {
        await clear();
        const events = entries.map(({ realm, operations }, i) => asked(realm, i + 1, operations));
        for (const event of events) await apply([event], 'one_by_one');
        for (let from = 0, turn = 0; from < events.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          await apply(events.slice(from, from + size), 'batched');
          from += size;
        }
        expect(await all('batched')).toEqual(await all('one_by_one'));
      }),
      { numRuns: 400 },
    );
  });

  it('stay as they are when events come again', async () => {
    const events = [
      asked(1, 1, [{ do: 'insert', table: 'things', row: { id: 1, n: 1 } }]),
      asked(1, 2, [{ do: 'upsert', table: 'things', row: { id: 1, topic: 'a' } }]),
      asked(1, 3, [{ do: 'update', table: 'things', where: { topic: 'a' }, set: { n: 5 } }]),
      asked(1, 4, [{ do: 'update', table: 'things', where: { id: 1 }, set: { topic: 'b' } }]),
    ];
    await apply(events, 'batched');
    const before = await all('batched');
    for (const event of events) await apply([event], 'batched');
    await apply(events, 'batched');
    expect(await all('batched')).toEqual(before);
    expect(before.things).toMatchObject([{ id: 1, n: 5, topic: 'b' }]);
  });

  it('exchange a unique name in the order the events give', async () => {
    const renamed = (position: number, row: number, name: string) =>
      asked(1, position, [{ do: 'update', table: 'named', where: { id: row }, set: { name } }]);
    const events = [
      asked(1, 1, [{ do: 'insert', table: 'named', row: { id: 1, name: 'a' } }]),
      asked(1, 2, [{ do: 'insert', table: 'named', row: { id: 2, name: 'b' } }]),
      renamed(3, 1, 'c'),
      renamed(4, 2, 'a'),
      renamed(5, 1, 'b'),
      asked(1, 6, [{ do: 'upsert', table: 'named', row: { id: 2, name: 'd' } }]),
      asked(1, 7, [{ do: 'upsert', table: 'named', row: { id: 1, name: 'A' } }]),
    ];
    await apply(events, 'batched');
    expect(await rowsOf('batched', 'named')).toMatchObject([{ name: 'A' }, { name: 'd' }]);
  });

  it('of a batch are written by few statements, whatever its size', () => {
    const events = Array.from({ length: 500 }, (_, i) =>
      asked((i % 3) + 1, i + 1, [
        { do: 'insert', table: 'things', row: { id: i, topic: 'a', n: 0 } },
        { do: 'update', table: 'things', where: { id: i }, set: {}, add: { n: 1 } },
        { do: 'insert', table: 'pairs', row: { a: i, b: 'x' } },
      ]),
    );
    expect(statementsFor(projection, events)).toHaveLength(2);
    const names = statementsFor(projection, events).map(({ name }) => name);
    expect(statementsFor(projection, events.slice(0, 7)).map(({ name }) => name)).toEqual(names);
  });

  it.each([0, 60])('trap 7: are found by index under a generic plan made when there were %p rows', async (count) => {
    await client.query('BEGIN');
    await client.query(BY_INDEX_SQL);
    await client.query('CREATE SCHEMA fresh');
    for (const ddl of [...createTables(projection, 'fresh'), ...createIndexes(projection, 'fresh')])
      await client.query(ddl);
    const things = Array.from({ length: count }, (_, i) => ({
      do: 'insert',
      table: 'things',
      row: { id: i, topic: `${i}` },
    }));
    await apply([asked(1, 1, things)], 'fresh');
    if (count > 0) await client.query('ANALYZE fresh.things');
    const byKey = await planOf({ do: 'update', table: 'things', where: { id: 1 }, set: { n: 1 } });
    const byTopic = await planOf({ do: 'delete', table: 'things', where: { topic: 'a' } });
    await client.query('ROLLBACK');
    expect(byKey).toContain('Index Scan using things_pkey');
    expect(byTopic).toContain('Index Scan using things_i1');
    for (const plan of [byKey, byTopic]) {
      expect(plan.match(/Function Scan/g)).toHaveLength(1);
      expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join/);
    }
  });

  it.each([
    ['a table that is not declared', [{ do: 'insert', table: 'nothing', row: { id: 1 } }], /no table nothing/],
    ['a column that is not declared', [{ do: 'insert', table: 'things', row: { id: 1, x: 1 } }], /no column things.x/],
    ['a row without its key', [{ do: 'upsert', table: 'pairs', row: { a: 1 } }], /pairs.b is a key: it is missing/],
    ['a text for a number', [{ do: 'insert', table: 'things', row: { id: 'one' } }], /things.id of type int4/],
    ['a number too large', [{ do: 'insert', table: 'things', row: { id: 2 ** 31 } }], /things.id of type int4/],
    ['a fraction', [{ do: 'update', table: 'things', where: { id: 1 }, set: { big: 0.5 } }], /things.big of type int8/],
    [
      'an increment of a text',
      [{ do: 'update', table: 'things', where: { id: 1 }, set: {}, add: { topic: 1 } }],
      /things.topic/,
    ],
    ['a search by JSON', [{ do: 'delete', table: 'things', where: { extra: 1 } }], /cannot be found by things.extra/],
  ])('refuse %s, naming projection, realm and position', (_, operations, reason) => {
    const refused = () => statementsFor(projection, [asked(1, 6, []), asked(4, 7, operations)]);
    expect(refused).toThrow(ProjectionFailed);
    expect(refused).toThrow(/^projection fold failed at position 7 of realm 4: /);
    expect(refused).toThrow(reason);
  });
});
