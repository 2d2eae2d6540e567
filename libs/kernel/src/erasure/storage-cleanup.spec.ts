import { copiesOf } from '../../../../test/support/laws/copies';
import { tracesOf } from '../../../../test/support/laws/traces';
import { defineContext } from '../contexts/define-context';
import type { Fact, Recorded } from '../domain/index';
import { defineEvent, fact, t } from '../domain/index';
import { defineProjection, on } from '../projections/definition/define';
import { withBuildLocks } from '../projections/rebuild/build-lock';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { openToyKernel, system } from '../spec-support/toy-kernel';
import { Erasures } from './erasures';
import { StorageCleanup } from './storage-cleanup';

const Written = defineEvent('memo.Written', {
  data: t.Object({ memo: t.Integer() }),
  sealed: t.Object({ text: t.String() }),
});
const Dropped = defineEvent('memo.Dropped', {
  data: t.Object({ memo: t.Integer() }),
  erases: ({ memo }) => [['stream', `memo-${memo}`]],
});

const memos = defineProjection({
  name: 'memos',
  version: 1,
  lifecycle: 'inline',
  tables: {
    memos: {
      columns: { memo: 'int8', text: 'text', words: 'tsvector' },
      key: ['memo'],
      indexes: [{ on: ['text'] }, { on: ['words'], method: 'gin' }],
      sealed: ['text', 'words'],
    },
  },
  handlers: [
    on(Written, ({ data, sealed }: Recorded, rows) => {
      const text = sealed === 'erased' ? '' : (sealed as { text: string }).text;
      rows.insert('memos', { memo: (data as { memo: number }).memo, text, words: { configuration: 'simple', text } });
    }),
    on(Dropped, ({ data }: Recorded, rows) => rows.delete('memos', { memo: (data as { memo: number }).memo })),
  ],
});
const context = defineContext({ name: 'memo', events: [Written, Dropped], projections: [memos] });

const WORD = 'quixotry';
const TABLE = 'view_memos_1.memos';
/** Over sealed columns: two of the table of memos, and that of API keys among the secrets. */
const INDEXES = 3;

let toy: ToyKernel;
beforeEach(async () => {
  toy = await openToyKernel({ contexts: [context] });
});
afterEach(() => toy.close());

const append = (stream: string, event: Fact) =>
  toy.kernel.work.run(system(), async (work) => work.append(stream, [event]));
const write = async (memo: number, text: string) => append(`memo-${memo}`, fact(Written, { memo }, { text }));
const pool = () => toy.kernel.database.pool;
const traces = () => tracesOf(pool(), WORD);
const cleanup = () => new StorageCleanup(toy.kernel);

/** As PostgreSQL did it before the column was declared sealed. */
const measured = async () => {
  await pool().query(`ALTER TABLE ${TABLE} ALTER COLUMN text SET STATISTICS -1, ALTER COLUMN words SET STATISTICS -1`);
  await pool().query(`ANALYZE ${TABLE}`);
};

/** The first memo is deleted, and its text erased. */
async function erased(): Promise<void> {
  await append('drops', fact(Dropped, { memo: 1 }));
  const runner = await toy.kernel.follow();
  await runner.poll();
  await runner.settled();
  await runner.stop();
  expect(await new Erasures(toy.kernel).sweep(toy.clock.now())).toMatchObject({ orders: 1, waiting: 0 });
  expect(await copiesOf(pool(), [WORD])).toEqual([]);
}

describe('what PostgreSQL keeps of erased words', () => {
  it('is removed from indexes and from statistics of earlier versions', async () => {
    await write(1, WORD);
    await write(2, 'stays');
    await measured();
    await erased();
    expect(await traces()).toEqual([
      'index memos_i1',
      'index memos_i2',
      'statistics of memos.text',
      'statistics of memos.words',
    ]);
    expect(await cleanup().run()).toEqual({ tables: 3, indexes: INDEXES, left: null });
    expect(await traces()).toEqual([]);
    await pool().query('ANALYZE');
    expect(await traces()).toEqual([]);
    const { rows } = await pool().query(`SELECT memo FROM ${TABLE} WHERE text = 'stays' AND words @@ 'stays'`);
    expect(rows).toEqual([{ memo: 2 }]);
  });

  it('is no statistics, because none are collected of what people wrote and of salts', async () => {
    await write(1, WORD);
    await pool().query('ANALYZE');
    expect((await traces()).filter((each) => each.startsWith('statistics'))).toEqual([]);
    const { rows } = await pool().query(
      `SELECT tablename FROM pg_stats WHERE attname IN ('sealed', 'salt') OR attname = 'value' AND tablename = 'secrets'`,
    );
    expect(rows).toEqual([]);
  });

  it('is no index over an expression, because PostgreSQL collects statistics of those', () => {
    const table = { columns: { memo: 'int8', text: 'text' }, key: ['memo'], sealed: ['text'] } as const;
    const tables = { memos: { ...table, indexes: [{ on: ['lower(text)'] }] } };
    expect(() => defineProjection({ ...memos, tables, handlers: [] })).toThrow(
      'memos.memos has an index over an expression with the sealed column text',
    );
  });

  it('is no row that is dead', async () => {
    await write(1, WORD);
    await erased();
    await cleanup().run();
    const dead = async (table: string) =>
      (await pool().query<{ dead: number }>('SELECT pg_stat_get_dead_tuples($1::regclass)::int AS dead', [table])).rows;
    expect(await dead(TABLE)).toEqual([{ dead: 0 }]);
  });
});

describe('the cleanup', () => {
  beforeEach(async () => {
    await write(1, WORD);
    await erased();
  });

  it('runs once a day at most, and only if something was erased since', async () => {
    expect(await cleanup().run()).toMatchObject({ left: null });
    expect(await cleanup().run({ now: true })).toBeNull();
    await write(1, 'again');
    await erased();
    expect(await cleanup().run()).toBeNull();
    toy.clock.advance(24 * 3_600_000);
    expect(await cleanup().run()).toMatchObject({ left: null });
    await write(1, 'again');
    await erased();
    expect(await cleanup().run({ now: true })).toMatchObject({ left: null });
  });

  it('is done by one of several processes', async () => {
    const other = await toy.another();
    const done = await Promise.all([cleanup().run(), new StorageCleanup(other).run()]);
    expect(done.filter((each) => each !== null)).toHaveLength(1);
  });

  it('leaves a read model that is being built for later, and tries again in an hour', async () => {
    await withBuildLocks(toy.kernel.database, ['memos'], async () => {
      expect(await cleanup().run()).toMatchObject({ left: expect.stringContaining('memos') as string });
    });
    expect(await traces()).not.toEqual([]);
    expect(await cleanup().run()).toBeNull();
    toy.clock.advance(3_600_000);
    expect(await cleanup().run()).toMatchObject({ left: null });
    expect(await traces()).toEqual([]);
  });

  it('continues where one was ended in the middle of an index', async () => {
    // A REINDEX that was ended leaves an invalid index.
    await pool().query(`CREATE INDEX memos_i2_ccnew ON ${TABLE} USING gin (realm_id, words)`);
    await pool().query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'view_memos_1.memos_i2_ccnew'::regclass`,
    );
    expect(await cleanup().run()).toMatchObject({ indexes: INDEXES, left: null });
    const { rows } = await pool().query(`SELECT relname FROM pg_class WHERE relname LIKE 'memos\\_i%' ORDER BY 1`);
    expect(rows).toEqual([{ relname: 'memos_i1' }, { relname: 'memos_i2' }]);
  });

  it('stops when its process stops', async () => {
    const stopped = cleanup();
    await stopped.stop();
    expect(await stopped.run()).toMatchObject({ left: 'the process stops' });
    expect(await traces()).not.toEqual([]);
  });
});
