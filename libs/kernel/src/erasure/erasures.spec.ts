import { copiesOf } from '../../../../test/support/laws/copies';
import { defineContext } from '../contexts/define-context';
import type { Fact, Recorded } from '../domain/index';
import { defineEvent, fact, t } from '../domain/index';
import { defineProjection, on } from '../projections/definition/define';
import { Rebuild } from '../projections/rebuild/rebuild';
import { altered } from '../projections/spec-support/sources';
import type { ToyKernel } from '../spec-support/toy-kernel';
import { openToyKernel, realm, system } from '../spec-support/toy-kernel';
import { Erasures } from './erasures';

const Written = defineEvent('memo.Written', {
  data: t.Object({ memo: t.Integer() }),
  sealed: t.Object({ text: t.String() }),
});
const Dropped = defineEvent('memo.Dropped', {
  data: t.Object({ memo: t.Integer() }),
  erases: ({ memo }) => [['stream', `memo-${memo}`]],
});

const handlers = [
  on(Written, ({ data, sealed }: Recorded, rows) =>
    rows.insert('memos', {
      memo: (data as { memo: number }).memo,
      text: sealed === 'erased' ? null : (sealed as { text: string }).text,
    }),
  ),
  on(Dropped, ({ data }: Recorded, rows) => rows.delete('memos', { memo: (data as { memo: number }).memo })),
];
const memos = defineProjection({
  name: 'memos',
  version: 1,
  lifecycle: 'inline',
  tables: { memos: { columns: { memo: 'int8', text: 'text' }, key: ['memo'], sealed: ['text'] } },
  handlers,
});
const memoContext = defineContext({ name: 'memo', events: [Written, Dropped], projections: [memos] });

const WORDS = 'words to be forgotten';

describe('erasing reaches every copy of a read model, or drops it', () => {
  let toy: ToyKernel;
  let erasures: Erasures;
  beforeEach(async () => {
    toy = await openToyKernel({ contexts: [memoContext] });
    erasures = new Erasures(toy.kernel);
    await write(1, WORDS);
  });
  afterEach(() => toy.close());

  const write = (memo: number, text: string) =>
    toy.kernel.work.run(system(), async (work) => {
      work.append(`memo-${memo}`, [fact(Written, { memo }, { text })]);
    });
  const drop = (memo: number) =>
    toy.kernel.work.run(system(), async (work) => {
      work.append('drops', [fact(Dropped, { memo })]);
    });
  /** All orders, once they are in the index of subjects. */
  async function erase() {
    const runner = await toy.kernel.follow();
    await runner.poll();
    await runner.settled();
    await runner.stop();
    return erasures.sweep(toy.clock.now());
  }
  /** Builds the read model page by page. @param act runs when the second page has been read and not yet applied */
  async function buildDuring(act: () => Promise<void>): Promise<void> {
    const { database, clock, events } = toy.kernel;
    let pages = 0;
    const source = altered(events, async (read) => {
      const page = await read();
      if ((pages += 1) === 2) await act();
      return page;
    });
    await new Rebuild({ database, clock, source, pageSize: 1 }, toy.kernel.projections).build(['memos']);
    expect(pages).toBeGreaterThan(1);
  }
  const copies = () => copiesOf(toy.kernel.database.pool, [WORDS]);
  const row = async () => (await toy.kernel.store.rows()).get('memos');
  const reported = async () => {
    const events = await toy.kernel.events.page(realm, 0, 100);
    return events.filter(({ type }) => type === 'kernel.Erased').map(({ data }) => data);
  };

  it('drops the version that was replaced', async () => {
    await toy.kernel.rebuild().run(['memos']);
    await drop(1);
    expect((await copies())[0]?.[1]).toEqual(['events', 'memos']);
    expect(await erase()).toEqual({ orders: 1, events: 1, waiting: 0 });
    expect(await copies()).toEqual([]);
    expect(await row()).toMatchObject({ prevGeneration: null });
  });

  it('keeps a replaced version that had already deleted the texts', async () => {
    await drop(1);
    await toy.kernel.rebuild().run(['memos']);
    await erase();
    expect(await copies()).toEqual([]);
    expect(await row()).toMatchObject({ prevVersion: 1 });
  });

  it('drops a build that was abandoned before the texts were deleted', async () => {
    await toy.kernel.rebuild().build(['memos']);
    await drop(1);
    expect((await copies())[0]?.[1]).toEqual(['events', 'memos']);
    await erase();
    expect(await copies()).toEqual([]);
    expect(await row()).toMatchObject({ nextGeneration: null });
  });

  it('is not reported as done before a running build has dropped its copies', async () => {
    await drop(1);
    await buildDuring(async () => {
      // The first page, with the texts, is applied. The second one, which deletes them, is read but not applied.
      expect(await erase()).toEqual({ orders: 0, events: 1, waiting: 1 });
      expect(await reported()).toEqual([]);
    });
    expect(await erase()).toEqual({ orders: 1, events: 1, waiting: 0 });
    expect(await reported()).toEqual([{ order: 2, events: 1 }]);
    expect(await copies()).toEqual([]);
    expect(await row()).toMatchObject({ nextVersion: 1 });
  });

  it('stops a build whose process was killed, although it had read the texts before they were erased', async () => {
    await drop(1);
    const build = buildDuring(async () => {
      await erase();
      throw new Error('killed');
    });
    await expect(build).rejects.toThrow('killed');
    expect((await copies())[0]?.[1]).toEqual(['memos']);
    expect(await erase()).toMatchObject({ orders: 1, waiting: 0 });
    expect(await copies()).toEqual([]);
  });
});

describe('erasing texts that a background read model holds', () => {
  it('is not reported as done before the read model has deleted them', async () => {
    const following = defineProjection({ ...memos, lifecycle: 'background', handlers });
    const context = defineContext({ name: 'memo', events: [Written, Dropped], projections: [following] });
    const toy = await openToyKernel({ contexts: [context] });
    const { pool } = toy.kernel.database;
    const append = (stream: string, event: Fact) =>
      toy.kernel.work.run(system(), async (work) => work.append(stream, [event]));
    const follow = async () => {
      const runner = await toy.kernel.follow();
      await runner.poll();
      await runner.settled();
      await runner.stop();
    };
    const sweep = () => new Erasures(toy.kernel).sweep(toy.clock.now());
    await append('memo-1', fact(Written, { memo: 1 }, { text: WORDS }));
    await append('drops', fact(Dropped, { memo: 1 }));
    await follow();
    await pool.query(`UPDATE projection_checkpoints SET position = 1 WHERE projection = 'memos'`);
    expect(await sweep()).toEqual({ orders: 0, events: 1, waiting: 1 });
    await follow();
    expect(await sweep()).toEqual({ orders: 1, events: 1, waiting: 0 });
    expect(await copiesOf(pool, [WORDS])).toEqual([]);
    await toy.close();
  });
});
