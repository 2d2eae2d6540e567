import type { LinkedPart } from '../names';
import { TakenCharacters } from './linkifier-set';

/** A text that a linkifier made a link when it was written. */
export interface WrittenLink {
  readonly written: string;
  readonly url: string;
}

/** What is before a link and after it (`linkifier-set.ts`). */
const BEFORE = /[\s\u0085\p{Z}'"(,:<]/u;
const AFTER = /[\p{L}\p{N}]/u;

/** The links by their characters, so that all of them are looked for at once. */
interface Branch {
  readonly next: Map<number, Branch>;
  /** Of the link that ends here: its rank among all of them. */
  rank?: number;
}

interface Found extends LinkedPart {
  readonly rank: number;
}

/** The links in a text, as they were recorded: in the order of their linkifiers. */
export function writtenLinks(links: readonly WrittenLink[]): (text: string, begins: boolean) => readonly LinkedPart[] {
  const root = branchesOf(links);
  return (text, begins) => {
    const found: Found[] = [];
    for (let begin = begins ? 0 : 1; begin < text.length; begin++) {
      if (begin > 0 && !BEFORE.test(text.charAt(begin - 1))) continue;
      const part = foundAt(text, begin, root, links);
      if (part) found.push(part);
    }
    const taken = new TakenCharacters(text.length);
    return found
      .sort((a, b) => a.rank - b.rank)
      .filter((part) => taken.take(part))
      .sort((a, b) => a.begin - b.begin);
  };
}

function branchesOf(links: readonly WrittenLink[]): Branch {
  const root: Branch = { next: new Map() };
  for (const [rank, { written }] of links.entries()) {
    let branch = root;
    for (let at = 0; at < written.length; at++) {
      const code = written.charCodeAt(at);
      const known = branch.next.get(code) ?? { next: new Map<number, Branch>() };
      branch.next.set(code, known);
      branch = known;
    }
    branch.rank ??= rank;
  }
  return root;
}

/** The link that begins at a position. Of several the one of the first linkifier. */
function foundAt(text: string, begin: number, root: Branch, links: readonly WrittenLink[]): Found | undefined {
  let [best, end] = [Infinity, begin];
  let branch: Branch | undefined = root;
  for (let at = begin; branch; at++) {
    if (branch.rank !== undefined && branch.rank < best && !goesOn(text, at)) [best, end] = [branch.rank, at];
    branch = branch.next.get(text.charCodeAt(at));
  }
  const link = links[best];
  return link && { begin, end, url: link.url, rank: best };
}

/** Whether a letter or digit follows. It may be a pair of surrogates. */
const goesOn = (text: string, end: number): boolean => {
  const next = text.codePointAt(end);
  return next !== undefined && AFTER.test(String.fromCodePoint(next));
};
