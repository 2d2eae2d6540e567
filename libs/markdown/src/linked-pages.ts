import { hrefOf, leadsTo, uploadUrl } from './links/links';
import type { NameLookup, TextOptions } from './names';
import { parse } from './parser';

/** Only a text with one of these links to the web. */
const WEB = /https?:|[^\s.]\.[^\s.]/i;

/**
 * The pages that a text links to outside quotes, without those of this server and without pictures, sounds and videos:
 * each once, in the order of the text.
 *
 * @param most further ones are left out
 */
export function linkedPages(content: string, names: NameLookup, options: TextOptions, most: number): string[] {
  if (!WEB.test(content)) return [];
  const found = new Set<string>();
  let quotes = 0;
  for (const token of parse(content, { names, options }).tokens) {
    if (token.tag === 'blockquote') quotes += token.nesting;
    if (quotes > 0) continue;
    for (const child of token.children ?? []) {
      const href = child.type === 'link_open' ? hrefOf(child) : '';
      if (isPage(href, options)) found.add(href);
    }
  }
  return [...found].slice(0, most);
}

const KINDS = ['image', 'video', 'audio'] as const;

function isPage(url: string, options: TextOptions): boolean {
  if (!/^https?:\/\//i.test(url) || KINDS.some((kind) => leadsTo(kind, url))) return false;
  const { realmUrl } = options;
  const isOurs = realmUrl !== undefined && (url === realmUrl || url.startsWith(`${realmUrl}/`));
  return !isOurs && uploadUrl(url, options) === undefined;
}
