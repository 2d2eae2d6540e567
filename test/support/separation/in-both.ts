import type { Twin } from './twin';

/**
 * Both twins do the same, one after the other.
 *
 * @returns the id that both get
 * @throws Error if they get different ones
 */
export async function inBoth(
  [one, other]: readonly [Twin, Twin],
  act: (twin: Twin) => Promise<number>,
): Promise<number> {
  const [first, second] = [await act(one), await act(other)];
  if (first !== second) throw new Error(`the ids differ: ${first} and ${second}`);
  return first;
}
