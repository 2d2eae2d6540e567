import { pages } from './pages';

/** The pages of the numbers up to `last`, and the number after which each was requested. */
async function walk(last: number, size: number) {
  const asked: (number | null)[] = [];
  const found: (readonly number[])[] = [];
  const load = async (after: number | null) => {
    asked.push(after);
    const first = (after ?? 0) + 1;
    return Promise.resolve(Array.from({ length: Math.min(size, last - first + 1) }, (_, n) => first + n));
  };
  for await (const page of pages(size, load)) found.push(page);
  return { asked, found };
}

describe('pages', () => {
  it('continue after the last item of the page before, until one is not full', async () => {
    expect(await walk(5, 2)).toEqual({ asked: [null, 2, 4], found: [[1, 2], [3, 4], [5]] });
  });

  it('are never empty', async () => {
    expect(await walk(4, 2)).toEqual({
      asked: [null, 2, 4],
      found: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(await walk(0, 2)).toEqual({ asked: [null], found: [] });
  });
});
