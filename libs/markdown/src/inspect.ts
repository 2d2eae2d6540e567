import type { Token } from './html';
import { hrefOf, leadsTo, uploadPath, uploadUrl } from './links/links';
import { mentionOf } from './links/mentions';
import type { Mention } from './links/mentions';
import type { NameLookup, TextOptions } from './names';
import { parse } from './parser';

/** The facts about a text for later rules and views. Ids ascend, each once. */
export interface ContentFacts {
  mentions: {
    userIds: number[];
    /** Mentioned silently. A user may be in both lists. */
    silentUserIds: number[];
    groupIds: number[];
    channelWildcard: boolean;
    topicWildcard: boolean;
  };
  /** `has:link`. Links to channels, topics and messages by their names count too. */
  hasLink: boolean;
  hasImage: boolean;
  hasAttachment: boolean;
  /** Path ids (`2/ab/random/name.png`) of the uploads that the text links to or shows. */
  attachmentPaths: string[];
  /** Begins with `/me ` and is one paragraph (contract messages section 2). */
  isMeMessage: boolean;
}

/** Without any of these a text mentions nobody and has no links. */
const NOTEWORTHY = /@|#\*\*|\]\(|\/\/|[^\s.]\.[^\s.]/;

/**
 * The facts of a text as ids and booleans, to be recorded when a command decides about it. They agree with `render` for
 * the same names: exactly the users that the HTML shows as mentioned are mentioned here. Plain text is not parsed.
 */
export function inspect(content: string, names: NameLookup, options: TextOptions = {}): ContentFacts {
  const isPlain = !NOTEWORTHY.test(content) && !content.startsWith('/me ') && !names.linkedParts;
  if (isPlain) return facts([], [], options, false);
  const { tokens } = parse(content, { names, options });
  const inline = tokens.flatMap((token) => token.children ?? []);
  const isMeMessage = content.startsWith('/me ') && tokens.length === 3 && tokens[0]?.type === 'paragraph_open';
  return facts(
    inline.map(mentionOf).filter((mention) => mention !== undefined),
    inline,
    options,
    isMeMessage,
  );
}

function facts(mentions: Mention[], inline: Token[], options: TextOptions, isMeMessage: boolean): ContentFacts {
  const mentioned = mentions.filter(({ silent }) => !silent);
  const urls = inline.filter(({ type }) => type === 'link_open' || type === 'image').map(hrefOf);
  const attachmentPaths = [...new Set(urls.flatMap((url) => uploadPath(uploadUrl(url, options) ?? '') ?? []))].sort();
  return {
    mentions: {
      userIds: idsOf(mentioned, 'user'),
      silentUserIds: idsOf(
        mentions.filter(({ silent }) => silent),
        'user',
      ),
      groupIds: idsOf(mentioned, 'group'),
      channelWildcard: mentioned.some(({ kind }) => kind === 'channel'),
      topicWildcard: mentioned.some(({ kind }) => kind === 'topic'),
    },
    hasLink: inline.some(({ type }) => type === 'link_open' || type === 'channel_link'),
    hasImage: urls.some((url) => leadsTo('image', url)),
    hasAttachment: attachmentPaths.length > 0,
    attachmentPaths,
    isMeMessage,
  };
}

function idsOf(mentions: Mention[], kind: 'user' | 'group'): number[] {
  const ids = mentions.flatMap((mention) => (mention.kind === kind && 'id' in mention ? [mention.id] : []));
  return [...new Set(ids)].sort((a, b) => a - b);
}
