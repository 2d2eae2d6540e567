import fc from 'fast-check';
import { Client } from 'pg';
import type { Recorded } from '../../domain/index';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import { binaryArray } from './binary-arrays';
import { defineProjection } from '../definition/define';
import { ProjectionFailed } from './row-changes';
import { BY_INDEX_SQL, statementsFor } from './row-sql';
import type { Operation } from '../spec-support/asked';
import { asked, doAsAsked } from '../spec-support/asked';
import type { ModelRow } from '../spec-support/model';
import { Model } from '../spec-support/model';
import { cut, cuts, inOrder, log, numberLists, numbers, projection } from '../spec-support/folding';
import { createIndexes, createTables } from '../definition/tables';

const renamed = (position: number, row: number, name: string) =>
  asked(1, position, [{ do: 'update', table: 'named', where: { id: row }, set: { name } }]);

describe('rows of a projection', () => {
  let database: TestDatabase;
  let client: Client;

  const create = async (schema: string) => {
    await client.query(`CREATE SCHEMA ${schema}`);
    for (const ddl of [...createTables(projection, schema), ...createIndexes(projection, schema)])
      await client.query(ddl);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    await create('read');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  beforeEach(() => client.query('BEGIN'));
  afterEach(() => client.query('ROLLBACK'));

  const apply = async (events: readonly Recorded[], schema = 'read') => {
    for (const statement of statementsFor(projection, events, schema)) await client.query(statement);
  };
  const rowsOf = async (table: string) => {
    const { rows } = await client.query<ModelRow>(`SELECT * FROM read.${table} ORDER BY 1, 2, 3`);
    return rows.map((row) => ({ ...row, ...numbers(row, ['big', 'last_position']), ...numberLists(row) }));
  };

  const agree = async (events: readonly Recorded[], batches: readonly (readonly Recorded[])[]) => {
    const model = new Model(projection.tables);
    events.forEach((event) => model.apply(event));
    for (const batch of batches) await apply(batch);
    expect(await rowsOf('things')).toEqual(inOrder(model.rows('things'), ['realm_id', 'id']));
    expect(await rowsOf('pairs')).toEqual(inOrder(model.rows('pairs'), ['realm_id', 'a', 'b']));
  };

  it('come out as if each event had been applied alone, however the log is cut into batches', async () => {
    const law = fc.asyncProperty(log, cuts, async (entries, sizes) => {
      const events = entries.map(({ realm, operations }, i) => asked(realm, i + 1, operations));
      await client.query('SAVEPOINT empty');
      try {
        await agree(events, cut(events, sizes));
      } finally {
        await client.query('ROLLBACK TO empty');
      }
    });
    await fc.assert(law, { numRuns: 100 });
  });

  it('come out so too when keys change, which lets rows meet that did not before', async () => {
    const insert = (a: number, b: string): Operation => ({ do: 'insert', table: 'pairs', row: { a, b, flag: true } });
    const rename = (from: number, to: number): Operation => {
      return { do: 'update', table: 'pairs', where: { a: from }, set: { a: to } };
    };
    const clear = (a: number): Operation => ({ do: 'delete', table: 'pairs', where: { a } });
    const steps = [
      insert(1, 'x'),
      rename(1, 3),
      insert(3, 'x'),
      insert(1, 'y'),
      clear(3),
      rename(1, 2),
      insert(2, 'y'),
    ];
    const events = steps.map((step, i) => asked(1, i + 1, [step]));
    await agree(events, [events]);
  });

  it('stay as they are when events are applied again', async () => {
    const events = [
      asked(1, 1, [{ do: 'insert', table: 'things', row: { id: 1, n: 1 } }]),
      asked(1, 2, [{ do: 'upsert', table: 'things', row: { id: 1, topic: 'a' } }]),
      asked(1, 3, [{ do: 'update', table: 'things', where: { topic: 'a' }, set: { n: 5 } }]),
      asked(1, 4, [{ do: 'update', table: 'things', where: { id: 1 }, set: { n: 6 } }]),
      asked(1, 5, [{ do: 'update', table: 'things', where: { n: 6 }, set: { n: 7 } }]),
    ];
    await apply(events);
    const before = await rowsOf('things');
    expect(before).toMatchObject([{ id: 1, n: 7, topic: 'a', last_position: 5 }]);
    for (const again of [...events.map((event) => [event]), events]) {
      await apply(again);
      expect(await rowsOf('things')).toEqual(before);
    }
  });

  describe('that are only added', () => {
    const tables = { seen: { columns: { id: 'int8' }, key: ['id'], addOnly: true } } as const;
    const adding = (lifecycle: 'inline' | 'background') =>
      defineProjection({ name: 'adding', version: 1, lifecycle, tables, handlers: [doAsAsked] });
    const twice = (id: number) =>
      asked(
        1,
        id,
        [1, 2].map(() => ({ do: 'insert', table: 'seen', row: { id } })),
      );

    it('come once for each event, and not again: that would be a page that was followed twice', async () => {
      const projection = adding('background');
      for (const ddl of createTables(projection, 'read')) await client.query(ddl);
      const statements = () => statementsFor(projection, [twice(7), twice(8)], 'read');
      for (const statement of statements()) await client.query(statement);
      expect((await client.query(`SELECT id::int4 FROM read.seen ORDER BY id`)).rows).toEqual([{ id: 7 }, { id: 8 }]);
      const again = () => Promise.all(statements().map((statement) => client.query(statement)));
      await expect(again()).rejects.toMatchObject({ code: '23505' });
    });

    it('are none of an inline projection, which may write an event again', () => {
      expect(() => adding('inline')).toThrow('adding.seen is written inline, where an event may come twice');
    });
  });

  it('exchange a unique name in the order the events give', async () => {
    await apply([
      asked(
        1,
        1,
        [1, 2].map((row) => ({ do: 'insert', table: 'named', row: { id: row, name: `${row}` } })),
      ),
    ]);
    await apply([renamed(2, 1, 'free'), renamed(3, 2, '1'), renamed(4, 1, '2')]);
    expect(await rowsOf('named')).toMatchObject([{ name: '2' }, { name: '1' }]);
    await apply([
      asked(1, 5, [{ do: 'upsert', table: 'named', row: { id: 2, name: 'x' } }]),
      asked(1, 6, [{ do: 'upsert', table: 'named', row: { id: 1, name: '1' } }]),
    ]);
    expect(await rowsOf('named')).toMatchObject([{ name: '1' }, { name: 'x' }]);
  });

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

  it('trap 6: that count are changed once per batch, by the sum', () => {
    const count: Operation = { do: 'update', table: 'things', where: { id: 7 }, add: { n: 1 } };
    const events = Array.from({ length: 2_000 }, (_, i) => asked(1, i + 1, [count]));
    const statements = statementsFor(projection, events);
    expect(statements).toHaveLength(1);
    const [, ids, sums] = statements[0]?.values ?? [];
    expect(ids).toEqual(binaryArray('int4', [7]));
    expect(sums).toEqual(binaryArray('int4', [2_000]));
  });

  /** The plan the lane would keep: generic, made before any value is known. */
  const planOf = async (asks: Operation) => {
    const [statement] = statementsFor(projection, [asked(1, 2, [asks])], 'fresh');
    await client.query(`PREPARE probe AS ${statement?.text}`);
    const values = statement?.values.map(() => "'{1}'").join();
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE probe(${values})`);
    await client.query('DEALLOCATE probe');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([0, 60])('trap 7: are found by index under a generic plan made when there were %p rows', async (count) => {
    await client.query(BY_INDEX_SQL);
    await create('fresh');
    const rows = Array.from({ length: count }, (_, i) => ({ id: i, topic: `${i}` }));
    await apply(
      [
        asked(
          1,
          1,
          rows.map((row) => ({ do: 'insert', table: 'things', row })),
        ),
      ],
      'fresh',
    );
    if (count > 0) await client.query('ANALYZE fresh.things');
    const byKey = await planOf({ do: 'update', table: 'things', where: { id: 1 }, set: { n: 1 } });
    const byTopic = await planOf({ do: 'delete', table: 'things', where: { topic: 'a' } });
    expect(byKey).toContain('Index Scan using things_pkey');
    expect(byTopic).toContain('Index Scan using things_i1');
    for (const plan of [byKey, byTopic]) {
      expect(plan.match(/Function Scan/g)).toHaveLength(1);
      expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join/);
    }
  });

  it.each<[string, Operation, RegExp]>([
    ['a table not declared', { do: 'insert', table: 'nothing', row: { id: 1 } }, /no table nothing/],
    ['a column not declared', { do: 'insert', table: 'things', row: { id: 1, x: 1 } }, /no column things.x/],
    ['a row without its key', { do: 'upsert', table: 'pairs', row: { a: 1 } }, /pairs.b is a key: it is missing/],
    ['a text for a number', { do: 'insert', table: 'things', row: { id: 'one' } }, /things.id of type int4/],
    ['a number too large', { do: 'insert', table: 'things', row: { id: 2 ** 31 } }, /things.id of type int4/],
    ['a fraction', { do: 'update', table: 'things', where: { id: 1 }, set: { big: 0.5 } }, /things.big of type int8/],
    ['to count in a text', { do: 'update', table: 'things', where: { id: 1 }, add: { topic: 1 } }, /things.topic of/],
    ['to search by JSON', { do: 'delete', table: 'things', where: { extra: 1 } }, /cannot be found by things.extra/],
    ['what its handler throws', { do: 'throw', message: 'not like this' }, /not like this/],
  ])('refuse %s, naming projection, realm and position', (_, operation, reason) => {
    const refused = () => statementsFor(projection, [asked(1, 6, []), asked(4, 7, [operation])]);
    expect(refused).toThrow(ProjectionFailed);
    expect(refused).toThrow(/^projection fold failed at position 7 of realm 4: /);
    expect(refused).toThrow(reason);
  });
});
