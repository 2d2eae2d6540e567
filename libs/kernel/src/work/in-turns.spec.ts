import { inTurns } from './in-turns';

/** The items that were handled in each turn of the event loop. */
async function byTurn(items: readonly number[], atOnce: number): Promise<number[][]> {
  const turns: number[][] = [[]];
  let isOver = false;
  const count = () => {
    turns.push([]);
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for await (const some of inTurns(items, atOnce)) turns.at(-1)?.push(...some);
  isOver = true;
  return turns.filter((turn) => turn.length > 0);
}

describe('work in turns', () => {
  it('handles so many items in each turn of the event loop, all of them once and in order', async () => {
    expect(await byTurn([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(await byTurn([1, 2], 2)).toEqual([[1, 2]]);
    expect(await byTurn([], 2)).toEqual([]);
  });
});
