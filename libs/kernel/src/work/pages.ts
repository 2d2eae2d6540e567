/**
 * Everything there is, a page after the other. What is looked at may change meanwhile: each page is loaded when the one
 * before was dealt with.
 *
 * @param size of a full page; after one that is not, there is nothing more
 * @param load gives what follows the last one of the page before, null for the first page
 */
export async function* pages<T>(
  size: number,
  load: (after: T | null) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let after: T | null = null; ;) {
    const page: readonly T[] = await load(after);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    after = page.at(-1) ?? null;
  }
}
