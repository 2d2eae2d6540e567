import fc from 'fast-check';
import { Client } from 'pg';
import type { Recorded } from '../../domain/index';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import { setBits } from '../definition/bits';
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

  it('are the same as if each event had been applied alone, however the log is divided into batches', async () => {
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

  it('are also the same when keys change, so that rows meet that did not meet before', async () => {
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

  it('do not change when events are applied again', async () => {
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

  describe('with a searchable text', () => {
    const table = {
      columns: { id: 'int8', words: 'tsvector' },
      key: ['id'],
      indexes: [{ on: ['words'], method: 'gin' }],
    } as const;
    const texts = defineProjection({
      name: 'texts',
      version: 1,
      lifecycle: 'background',
      tables: { texts: table },
      handlers: [doAsAsked],
    });
    const words = (configuration: string, text: string) => ({ configuration, text });
    const write = async (position: number, operation: object) => {
      const events = [asked(1, position, [{ table: 'texts', ...operation } as Operation])];
      for (const statement of statementsFor(texts, events, 'read')) await client.query(statement);
    };
    const stored = async () =>
      (await client.query<{ words: string | null }>('SELECT words::text FROM read.texts ORDER BY id')).rows;

    beforeEach(async () => {
      for (const ddl of [...createTables(texts, 'read'), ...createIndexes(texts, 'read')]) await client.query(ddl);
    });

    it('have its stems by the language of the text, in a GIN index that begins with the realm', async () => {
      await write(1, { do: 'insert', row: { id: 1, words: words('english', 'The  running dogs') } });
      await write(2, { do: 'upsert', row: { id: 2, words: words('german', 'die Häuser') } });
      await write(3, { do: 'insert', row: { id: 3, words: null } });
      expect(await stored()).toEqual([{ words: "'dog':3 'run':2" }, { words: "'haus':2" }, { words: null }]);
      await write(4, { do: 'update', where: { id: 1 }, set: { words: words('simple', 'The end') } });
      await write(5, { do: 'upsert', row: { id: 2, words: null } });
      expect(await stored()).toEqual([{ words: "'end':2 'the':1" }, { words: null }, { words: null }]);
      await client.query('ALTER TABLE read.texts DROP CONSTRAINT texts_pkey; SET LOCAL enable_seqscan = off');
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(
        `EXPLAIN SELECT FROM read.texts WHERE realm_id = 1 AND words @@ 'end'`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('Index Cond: ((realm_id = 1) AND (words @@');
    });

    it('refuse what is not a text', async () => {
      for (const value of ['text', {}, { configuration: 'english' }]) {
        await expect(write(1, { do: 'insert', row: { id: 1, words: value } })).rejects.toThrow(ProjectionFailed);
      }
    });
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

    it('are added once for each event, and a repeat is an error: a page would have been followed twice', async () => {
      const projection = adding('background');
      for (const ddl of createTables(projection, 'read')) await client.query(ddl);
      const statements = () => statementsFor(projection, [twice(7), twice(8)], 'read');
      for (const statement of statements()) await client.query(statement);
      expect((await client.query(`SELECT id::int4 FROM read.seen ORDER BY id`)).rows).toEqual([{ id: 7 }, { id: 8 }]);
      const again = () => Promise.all(statements().map((statement) => client.query(statement)));
      await expect(again()).rejects.toMatchObject({ code: '23505' });
    });

    it('are not allowed in an inline projection, which may write an event again', () => {
      expect(() => adding('inline')).toThrow('adding.seen is written inline, where an event may be applied twice');
    });
  });

  it('exchange a unique name in the order of the events', async () => {
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

  it('have bits set and cleared by one statement for each batch, and an insert with set bits is one upsert', async () => {
    const marked = (bits: Extract<Operation, { do: 'update' }>['bits']): Operation[] => [
      { do: 'insert', table: 'things', row: { id: 1 } },
      { do: 'update', table: 'things', where: { id: 1 }, ...(bits && { bits }) },
    ];
    const setting = [3, 5, 15].map((bit, i) => asked(1, i + 1, marked({ bits: { set: [bit] } })));
    expect(statementsFor(projection, setting)).toHaveLength(1);
    await apply(setting);
    const cleared = [asked(1, 4, marked({ bits: { clear: [0, 5] } })), asked(1, 5, marked({ bits: { set: [0] } }))];
    await apply(cleared);
    expect(await rowsOf('things')).toMatchObject([{ id: 1, bits: '1001000000000001' }]);
    for (const again of [setting, cleared]) await apply(again);
    expect(await rowsOf('things')).toMatchObject([{ id: 1, bits: '1001000000000001' }]);
    expect(() => setBits(16, [16])).toThrow(RangeError);
  });

  /** The plan that the lane would keep: generic, made before any value is known. */
  const planOf = async (asks: Operation) => {
    const [statement] = statementsFor(projection, [asked(1, 2, [asks])], 'fresh');
    await client.query(`PREPARE probe AS ${statement?.text}`);
    const values = statement?.values.map(() => "'{1}'").join();
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE probe(${values})`);
    await client.query('DEALLOCATE probe');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([0, 60])('are found by index under a generic plan made when there were %p rows', async (count) => {
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
});
