const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Many things, some at a time: everything else that is ready has its turn in between. For work that others wait for,
 * because it holds something of theirs; what can wait itself belongs to `longWork`.
 *
 * @param items made as they are taken, where they are made on demand
 * @param atOnce how many take about a millisecond
 */
export async function* inTurns<Item>(items: Iterable<Item>, atOnce: number): AsyncGenerator<readonly Item[]> {
  let some: Item[] = [];
  for (const item of items) {
    some.push(item);
    if (some.length < atOnce) continue;
    yield some;
    some = [];
    await nextTurn();
  }
  if (some.length > 0) yield some;
}
