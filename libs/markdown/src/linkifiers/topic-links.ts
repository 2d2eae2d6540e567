import { LRUCache } from 'lru-cache';
import { FILE_NAME, isAllowedLink } from '../links/links';
import { findUrls } from '../parser';
import type { LinkedPart } from '../names';
import type { LinkifierSet } from './linkifier-set';
import { LinkifierWork, TakenCharacters } from './linkifier-set';

/** A link in the name of a topic, as clients show it beside the name. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** Steps that all linkifiers may do for one name. Names are short. */
const MAX_STEPS = 500_000;
/** A URL ends before these, and so does a domain. */
const PUNCTUATION = /[:;!?]+$/;

/** The links of topics by name, for each set of linkifiers. */
const known = new WeakMap<LinkifierSet, LRUCache<string, readonly TopicLink[]>>();

/** What linkifiers and bare URLs make links in the name of a topic, in their order. Linkifiers take precedence. */
export function topicLinks(topic: string, linkifiers: LinkifierSet): readonly TopicLink[] {
  if (linkifiers.isEmpty && !topic.includes('.')) return [];
  const cache = known.get(linkifiers) ?? new LRUCache<string, readonly TopicLink[]>({ max: 5_000 });
  known.set(linkifiers, cache);
  const cached = cache.get(topic);
  if (cached) return cached;
  const links = linksIn(topic, linkifiers);
  cache.set(topic, links);
  return links;
}

function linksIn(topic: string, linkifiers: LinkifierSet): TopicLink[] {
  const taken = new TakenCharacters(topic.length);
  const parts: readonly LinkedPart[] = [
    ...linkifiers.find(topic, true, new LinkifierWork(MAX_STEPS)),
    ...urlsIn(topic),
  ];
  return parts
    .filter((part) => taken.take(part))
    .sort((a, b) => a.begin - b.begin)
    .map(({ begin, end, url }) => ({ text: topic.slice(begin, end), url }));
}

/** Bare URLs and domains; not what looks like a file name, and no emails. */
function urlsIn(topic: string): LinkedPart[] {
  return findUrls(topic).flatMap(({ index, text, schema }) => {
    const shown = text.replace(PUNCTUATION, '');
    const url = schema === '' ? `https://${shown}` : shown;
    if (schema === 'mailto:' || FILE_NAME.test(shown) || !isAllowedLink(url)) return [];
    return [{ begin: index, end: index + shown.length, url }];
  });
}
