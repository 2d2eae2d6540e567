const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Many things, some at a time: everything else that is ready has its turn in between. For work that others wait for,
 * because it holds something of theirs; what can wait itself belongs to `longWork`.
 *
 * @param atOnce how many take about a millisecond
 */
export async function* inTurns<Item>(items: readonly Item[], atOnce: number): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + atOnce);
  }
}
