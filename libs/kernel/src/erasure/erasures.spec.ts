import { copiesOf } from '../../../../test/support/laws/copies';
import { defineContext } from '../contexts/define-context';
import type { Recorded } from '../domain/index';
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

const memos = defineProjection({
  name: 'memos',
  version: 1,
  lifecycle: 'inline',
  tables: { memos: { columns: { memo: 'int8', text: 'text' }, key: ['memo'], sealed: ['text'] } },
  handlers: [
    on(Written, ({ data, sealed }: Recorded, rows) =>
      rows.insert('memos', {
        memo: (data as { memo: number }).memo,
        text: sealed === 'erased' ? null : (sealed as { text: string }).text,
      }),
    ),
    on(Dropped, ({ data }: Recorded, rows) => rows.delete('memos', { memo: (data as { memo: number }).memo })),
  ],
});
const memoContext = defineContext({ name: 'memo', events: [Written, Dropped], projections: [memos] });

const WORDS = 'words to be forgotten';

describe('erasing reaches every copy of a read model, or ends it', () => {
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
  /** Everything that was ordered, once the index of subjects knows of it. */
  async function erase() {
    const runner = await toy.kernel.follow();
    await runner.poll();
    await runner.settled();
    await runner.stop();
    return erasures.sweep(toy.clock.now());
  }
  /** Builds the read model page by page. @param act what happens when the second page has been read, not yet applied */
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
  const told = async () => {
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

  it('keeps a version that was replaced after the words had gone from it', async () => {
    await drop(1);
    await toy.kernel.rebuild().run(['memos']);
    await erase();
    expect(await copies()).toEqual([]);
    expect(await row()).toMatchObject({ prevVersion: 1 });
  });

  it('drops a build that was left before the words went', async () => {
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
      // The first page, with the words, is applied; the second one, which takes them back, is on its way.
      expect(await erase()).toEqual({ orders: 0, events: 1, waiting: 1 });
      expect(await told()).toEqual([]);
    });
    expect(await erase()).toEqual({ orders: 1, events: 1, waiting: 0 });
    expect(await told()).toEqual([{ order: 2, events: 1 }]);
    expect(await copies()).toEqual([]);
    expect(await row()).toMatchObject({ nextVersion: 1 });
  });

  it('ends what a build that was killed has taken, although it had read the words before they were erased', async () => {
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
