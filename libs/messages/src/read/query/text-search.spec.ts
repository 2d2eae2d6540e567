import type { Actor, MessageId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { EVERYTHING } from '../narrow/compiled-narrow';
import type { Search } from './message-search';
import { searchText } from './text-search';

/** An organization in which each id up to the head is a message. @param isHit whether a message has the word, or each how many-th has it */
function searching(isHit: number | ((id: number) => boolean), head: number, phrases: readonly string[] = ['word']) {
  const hasWord = (id: number) => (typeof isHit === 'number' ? id % isHit === 0 : isHit(id));
  const looked: number[] = [];
  const byIndex: number[] = [];
  const inOrder: [after: number, before: number][] = [];
  const newest = (range: { after: number; before: number }, limit: number, has: (id: number) => boolean) => {
    const ids: MessageId[] = [];
    for (let id = Math.min(range.before - 1, head); id > range.after && ids.length < limit; id--) {
      if (has(id)) ids.push(id as MessageId);
    }
    return ids;
  };
  const query = ({ text, values }: { text: string; values: unknown[] }) => {
    if (!text.includes('WITH hits')) {
      const rows = (values[1] as number[]).filter(hasWord).map((id) => ({ id }));
      return Promise.resolve({ rows });
    }
    const [after, before, limit] = values.slice(5, 8) as [number, number, number];
    if (text.includes('IS TRUE')) inOrder.push([after, before]);
    else byIndex.push(before);
    return Promise.resolve({ rows: newest({ after, before }, limit, hasWord).map((id) => ({ id })) });
  };
  const run = (limit: number) => {
    const narrow = { ...EVERYTHING, text: null };
    const search: Search = { narrow, range: { after: 0, before: head + 1 }, order: 'newest first', limit };
    return searchText(search, {
      pool: { query } as unknown as Pool,
      by: { realmId: 1, userId: 1, role: 400, groups: [] } as unknown as Actor,
      text: { query: { phrases, words: '', configurations: [] }, others: EVERYTHING },
      head,
      walk: (page) => {
        looked.push(page.limit);
        return Promise.resolve(newest(page.range, page.limit, () => true));
      },
    });
  };
  return { run, looked, byIndex, inOrder };
}

const multiples = (of: number, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => Math.floor(from / of) * of - n * of);

describe('a search for words', () => {
  it('reads messages if the word is common, and never the index', async () => {
    const { run, looked, byIndex } = searching(2, 1_000_000);
    expect(await run(100)).toEqual(multiples(2, 1_000_000, 100));
    expect({ looked, byIndex }).toEqual({ looked: [400], byIndex: [] });
  });

  it('reads as many more messages as it takes by the frequency so far', async () => {
    const { run, looked, byIndex } = searching(10, 1_000_000);
    expect(await run(100)).toEqual(multiples(10, 1_000_000, 100));
    expect({ looked, byIndex }).toEqual({ looked: [400, 600], byIndex: [] });
  });

  it('reads the index if the word is rare, from the last message that was read', async () => {
    const { run, looked, byIndex } = searching(1_000, 1_000_000);
    expect(await run(100)).toEqual(multiples(1_000, 1_000_000, 100));
    expect({ looked, byIndex }).toEqual({ looked: [400], byIndex: [999_601] });
  });

  it('reads the words of a stretch where the word is in few of many messages', async () => {
    const { run, looked, byIndex, inOrder } = searching(100, 1_000_000);
    expect(await run(100)).toEqual(multiples(100, 1_000_000, 100));
    // Four of the first 400 messages have the word, so 96 are missing.
    const before = 999_601;
    expect({ looked, byIndex, inOrder }).toEqual({
      looked: [400],
      byIndex: [],
      inOrder: [[before - Math.ceil(1.5 * 96 * 100), before]],
    });
  });

  it('uses the index where a stretch has fewer messages than were expected', async () => {
    const isHit = (id: number) => id % (id > 999_600 ? 50 : 500) === 0;
    const { run, looked, byIndex, inOrder } = searching(isHit, 1_000_000);
    const found = await run(100);
    expect(found).toEqual([...multiples(50, 1_000_000, 8), ...multiples(500, 999_500, 92)]);
    // Eight of 400 messages had the word, so the other 92 were expected among 4,600.
    const far = 999_601 - 1.5 * 4_600 + 1;
    expect({ looked, inOrder: inOrder.length, byIndex }).toEqual({ looked: [400], inOrder: 1, byIndex: [far] });
  });

  it('ends when there are no more messages to read', async () => {
    const { run, looked, byIndex } = searching(7, 300);
    expect(await run(100)).toEqual(multiples(7, 300, 42));
    expect({ looked, byIndex }).toEqual({ looked: [400], byIndex: [] });
  });

  it('reads nothing for stop words alone', async () => {
    const { run, looked, byIndex } = searching(1, 1_000, []);
    expect(await run(100)).toEqual([]);
    expect({ looked, byIndex }).toEqual({ looked: [], byIndex: [] });
  });
});
