/**
 * All items, page by page. The items may change meanwhile: each page is loaded after the one before was handled.
 *
 * @param size of a full page. A page that is not full is the last one
 * @param load returns what follows the last item of the page before, null for the first page
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
