import type { MessageId } from '@annals/kernel/domain';
import { trimAroundAnchor } from './page-budget';

const ids = [1, 2, 3, 4, 5, 6] as MessageId[];
const around = async (anchor: number, size: number | null) => (await trimAroundAnchor(ids, anchor, 90, () => size)).ids;

describe('a trimmed page', () => {
  it('has all messages if their texts are short', async () => {
    for (const anchor of [0, 4, 99]) expect(await around(anchor, 1)).toEqual(ids);
    expect(await trimAroundAnchor([], 4, 90, () => 1)).toEqual({ ids: [], budget: 90 });
  });

  it('has the messages nearest to the anchor on both sides if they are long', async () => {
    expect(await around(0, 30)).toEqual([1, 2, 3]);
    expect(await around(4, 30)).toEqual([3, 4, 5]);
    expect(await around(6, 30)).toEqual([4, 5, 6]);
    expect(await around(99, 30)).toEqual([4, 5, 6]);
    expect(await trimAroundAnchor(ids, 0, 100, () => 30)).toEqual({ ids: [1, 2, 3], budget: 10 });
  });

  it('has at least one message', async () => {
    for (const size of [91, null]) {
      expect(await around(4, size)).toEqual([4]);
      expect(await around(99, size)).toEqual([6]);
    }
  });

  it('ends where the rendering time is used up', async () => {
    let asked = 0;
    const { ids: found } = await trimAroundAnchor(ids, 0, 90, () => (++asked > 4 ? null : 1));
    expect(found).toEqual([1, 2, 3, 4]);
    expect(asked).toBe(5);
  });
});
