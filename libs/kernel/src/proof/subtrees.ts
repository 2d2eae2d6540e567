/**
 * A complete subtree of the tree of a log: 2^level leaves, beginning with leaf index · 2^level. Its hash never changes
 * when the log grows.
 */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** A hash of a tree: of a complete subtree, or of two parts. */
export type Branch = Subtree | readonly [left: Branch, right: Branch];

/**
 * The hash MTH(D[from:to]) of RFC 6962 section 2.1, as complete subtrees.
 *
 * @param from a multiple of the greatest power of two below the length, as in every recursion of the RFC
 * @param to after `from`
 */
export function branchOf(from: number, to: number): Branch {
  const length = to - from;
  const level = Math.ceil(Math.log2(length));
  if (2 ** level === length) return { level, index: from / length };
  const middle = from + splitOf(length);
  return [branchOf(from, middle), branchOf(middle, to)];
}

/** The greatest power of two below a length: leaves of the left part. */
function splitOf(length: number): number {
  let power = 2 ** Math.floor(Math.log2(length));
  if (power >= length) power /= 2;
  return power;
}

/** PATH(index, D[from:to]) of RFC 6962 section 2.1.1, from the leaf to the root. */
export function inclusionPath(index: number, from: number, to: number): Branch[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle
    ? [...inclusionPath(index, from, middle), branchOf(middle, to)]
    : [...inclusionPath(index, middle, to), branchOf(from, middle)];
}

/** PROOF(first, D[0:second]) of RFC 6962 section 2.1.2. Empty if both are equal. */
export const consistencyPath = (first: number, second: number): Branch[] => subproof(first, 0, second, true);

/** SUBPROOF(size, D[from:to], isWhole) of the RFC. @param size of the first tree within this part */
function subproof(size: number, from: number, to: number, isWhole: boolean): Branch[] {
  const length = to - from;
  if (size === length) return isWhole ? [] : [branchOf(from, to)];
  const split = splitOf(length);
  const middle = from + split;
  return size <= split
    ? [...subproof(size, from, middle, isWhole), branchOf(middle, to)]
    : [...subproof(size - split, middle, to, false), branchOf(from, middle)];
}

/** All complete subtrees in branches. */
export const subtreesOf = (branches: readonly Branch[]): Subtree[] =>
  branches.flatMap((branch) => ('level' in branch ? [branch] : subtreesOf(branch)));
