const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Items in groups, with a turn of the event loop between two groups. For work that others wait for, for example because
 * it holds a lock. Work that can wait belongs to `longWork`.
 *
 * @param items an iterable may create them on demand
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
