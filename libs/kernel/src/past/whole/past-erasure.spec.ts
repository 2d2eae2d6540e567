import { once } from 'node:events';
import { copiesOf } from '../../../../../test/support/laws/copies';
import { withPast } from './past';
import { PastStage, memosOf, pastAt } from './spec-support/past-stage';

const WORDS = 'words to be forgotten';

describe('a past of which words are erased', () => {
  let stage: PastStage;
  beforeEach(async () => (stage = await PastStage.open()));
  afterEach(() => stage.close());

  it('is closed and built again without words that are erased while it is shown', async () => {
    await stage.write(1, WORDS);
    await stage.drop(1);
    const end = new AbortController();
    const shown: unknown[] = [];
    await withPast(stage.live, pastAt(1, { signal: end.signal }), async (past, over) => {
      shown.push(await memosOf(past));
      if (shown.length === 2) return end.abort();
      expect(await stage.erase()).toEqual({ orders: 0, events: 1, waiting: 1 });
      // The past may have been closed while the erasure was under way.
      if (!over.aborted) await once(over, 'abort');
    });
    expect(shown).toEqual([[{ memo: 1, text: WORDS }], [{ memo: 1, text: null }]]);
    expect(await stage.erase()).toEqual({ orders: 1, events: 1, waiting: 0 });
    expect(await copiesOf(stage.live.database.pool, [WORDS])).toEqual([]);
  });

  it('does not delay an erasure that it began after, or whose words come later', async () => {
    await stage.write(1, WORDS);
    await stage.write(2, WORDS);
    await stage.drop(2);
    await stage.look(pastAt(1), async () => expect(await stage.erase()).toEqual({ orders: 1, events: 1, waiting: 0 }));
    const shown = await stage.look(pastAt(2), async (past) => {
      await stage.drop(3);
      expect(await stage.erase()).toEqual({ orders: 1, events: 0, waiting: 0 });
      return memosOf(past);
    });
    expect(shown).toEqual([
      [
        { memo: 1, text: WORDS },
        { memo: 2, text: null },
      ],
    ]);
  });

  it('that was left is dropped by an erasure of its words', async () => {
    await stage.write(1, WORDS);
    await stage.killedAfter(1, 1);
    await stage.drop(1);
    expect((await copiesOf(stage.live.database.pool, [WORDS]))[0]?.[1].sort()).toEqual(['events', 'memos']);
    expect(await stage.erase()).toEqual({ orders: 1, events: 1, waiting: 0 });
    expect(await copiesOf(stage.live.database.pool, [WORDS])).toEqual([]);
    expect(await stage.schemas()).toEqual([]);
  });
});
