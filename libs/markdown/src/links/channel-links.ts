import { escapeHtml, mayBeginName, openTag, runOf } from '../html';
import type { InlineState, Parser } from '../html';
import type { NameLookup, TextOptions } from '../names';

/** A channel link as it is written. The topic may be empty, which is a topic too. */
export interface ChannelLinkSyntax {
  length: number;
  channel: string;
  topic?: string;
  messageId?: number;
}

const CHANNEL_LINK = /#\*\*([^*>\r\n`]{1,200})(?:>([^*\r\n]{0,200}))?\*\*/y;
const TOPIC_AND_MESSAGE = /^(.*)@(\d{1,15})$/;

/** Reads the channel link that begins at `position`, whether or not such a channel exists. */
export function readChannelLink(text: string, position: number): ChannelLinkSyntax | undefined {
  CHANNEL_LINK.lastIndex = position;
  const match = CHANNEL_LINK.exec(text);
  if (!match) return undefined;
  const link = { length: match[0].length, channel: match[1] ?? '' };
  if (match[2] === undefined) return link;
  const [, topic, messageId] = TOPIC_AND_MESSAGE.exec(match[2]) ?? [];
  return messageId === undefined
    ? { ...link, topic: match[2] }
    : { ...link, topic: topic ?? '', messageId: Number(messageId) };
}

/** Encodes a word for the fragment of a view's URL: like a URL component, but with dots for percent signs. */
function encodeForFragment(word: string): string {
  return encodeURIComponent(word.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

type Channel = { id: number; name: string };

const pathOfChannel = ({ id, name }: Channel): string =>
  `/#narrow/channel/${id}-${encodeForFragment(name.replaceAll(' ', '-'))}`;

/** Path and fragment of the URL of a message in its topic. */
export function messagePath(
  place: { readonly channel: Channel; readonly topic: string } | { readonly userIds: readonly number[] },
  messageId: number,
): string {
  if ('userIds' in place) return `/#narrow/dm/${place.userIds.join(',')}/near/${messageId}`;
  return `${pathOfChannel(place.channel)}/topic/${encodeForFragment(place.topic)}/near/${messageId}`;
}

/** The HTML of a link, in the forms that clients parse, or undefined for an unknown channel. */
function channelLinkHtml(link: ChannelLinkSyntax, names: NameLookup, options: TextOptions): string | undefined {
  const channel = names.channel(link.channel);
  if (!channel) return undefined;
  const base = pathOfChannel(channel);
  if (link.topic === undefined) {
    return `${openTag('a', { class: 'stream', 'data-stream-id': channel.id, href: base })}#${escapeHtml(channel.name)}</a>`;
  }
  return topicLinkHtml(channel, { ...link, topic: link.topic }, base, names, options);
}

function topicLinkHtml(
  channel: Channel,
  { topic, messageId }: { topic: string; messageId?: number },
  base: string,
  names: NameLookup,
  options: TextOptions,
): string {
  const href = `${base}/topic/${encodeForFragment(topic)}`;
  const shown = topic === '' ? `<em>${escapeHtml(options.emptyTopicName ?? 'general chat')}</em>` : escapeHtml(topic);
  const text = `#${escapeHtml(channel.name)} &gt; ${shown}`;
  if (messageId !== undefined) {
    return `${openTag('a', { class: 'message-link', href: `${href}/near/${messageId}` })}${text} @ 💬</a>`;
  }
  const anchor = names.topicMessageId?.(channel.id, topic);
  const lasting = anchor === undefined ? href : `${href}/with/${anchor}`;
  return `${openTag('a', { class: 'stream-topic', 'data-stream-id': channel.id, href: lasting })}${text}</a>`;
}

function channelLinkRule(state: InlineState, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23 || state.linkLevel > 0) return false;
  if (!mayBeginName(state.src, state.pos)) return false;
  const link = readChannelLink(state.src, state.pos);
  if (!link || state.pos + link.length > state.posMax) return false;
  const { names, options } = runOf(state);
  const html = channelLinkHtml(link, names, options);
  if (html === undefined) return false;
  if (!silent) state.push('channel_link', '', 0).content = html;
  state.pos += link.length;
  return true;
}

/** `#**channel**`, `#**channel>topic**`, `#**channel>topic@123**`. */
export function channelLinks(md: Parser): void {
  md.inline.ruler.before('linkify', 'channel_link', channelLinkRule);
  md.renderer.rules['channel_link'] = (tokens, index) => tokens[index]?.content ?? '';
}
