import type { NameLookup } from '../names';
import { parse } from '../parser';
import type { FoundPart, LinkifierSet } from './linkifier-set';
import { LinkifierWork } from './linkifier-set';
import { relativeUrl } from '../links/links';
import type { WrittenLink } from './written-links';

/** Steps that all linkifiers may do for one text. The slowest take some 20 ns. */
const MAX_STEPS = 10_000_000;
/** Most UTF-16 units of what is recorded for one text. */
const MAX_RECORDED = 50_000;

/**
 * The texts in a message that linkifiers make links, each once, in the order of the linkifiers. What is in code, in other
 * links and in names is none of them. The work is bounded: a very long text with very many links has only the first ones.
 *
 * @param names of the same text
 */
export function linkedTexts(content: string, names: NameLookup, linkifiers: LinkifierSet): WrittenLink[] {
  if (linkifiers.isEmpty) return [];
  const found = new Map<string, WrittenLink & { readonly rank: number }>();
  const work = new LinkifierWork(MAX_STEPS);
  let room = MAX_RECORDED;
  const record = (text: string, { begin, end, url: absolute, rank }: FoundPart): void => {
    const written = text.slice(begin, end);
    const url = relativeUrl(absolute, names.ownUrl);
    const known = found.get(written);
    if (known) {
      if (rank < known.rank) found.set(written, { written, url, rank });
      return;
    }
    room -= written.length + url.length;
    if (room >= 0) found.set(written, { written, url, rank });
  };
  const linkedParts = (text: string, begins: boolean) => {
    const parts = linkifiers.find(text, begins, work);
    for (const part of parts) record(text, part);
    return parts;
  };
  parse(content, { names: { ...names, linkedParts }, options: {} });
  return [...found.values()].sort((a, b) => a.rank - b.rank).map(({ written, url }) => ({ written, url }));
}
