import { readChannelLink } from './links/channel-links';
import { readEmoji } from './emoji/emoji';
import { readMention } from './links/mentions';
import type { References } from './names';

/**
 * The names in a text, so that a caller can load them in one query before it inspects or renders. Every name that
 * `inspect` or `render` will look up is among them. Some may never be looked up, because code is not recognized here.
 */
export function references(written: string): References {
  // Like the parser reads it.
  const content = written.replaceAll('\0', '\ufffd');
  // In a table a pipe is written `\|`.
  const texts = content.includes('\\|') ? [content, content.replaceAll('\\|', '|')] : [content];
  const mentions = texts.flatMap((text) => readAll(text, '@', readMention).map(({ target }) => target));
  const channelLinks = texts.flatMap((text) => readAll(text, '#', readChannelLink));
  return {
    users: distinct(mentions.flatMap((target) => ('group' in target ? [] : [target]))),
    groups: distinct(mentions.flatMap((target) => ('group' in target ? [target.group] : []))),
    channels: distinct(channelLinks.map(({ channel }) => channel)),
    topics: distinct(
      channelLinks.flatMap(({ channel, topic, messageId }) =>
        topic === undefined || messageId !== undefined ? [] : [{ channel, topic }],
      ),
    ),
    emoji: distinct(texts.flatMap((text) => readAll(text, ':', readEmoji))),
  };
}

/** Reads at every occurrence of the sign: what looks like one name may be none, and hide another. */
function readAll<T>(text: string, sign: string, read: (text: string, position: number) => T | undefined): T[] {
  const found: T[] = [];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    const item = read(text, at);
    if (item !== undefined) found.push(item);
  }
  return found;
}

function distinct<T>(items: T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
