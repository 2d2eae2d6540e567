import type { ChannelId, GroupId, MessageId, UserId } from '@annals/kernel/domain';
import type { SealedText, WrittenNames } from '../events';

/** A text of the server with the meaning of its names: they need no lookup, and they mention nobody. */
export type NoticeText = SealedText & { readonly names: WrittenNames };

/** No names. */
export const NO_WRITTEN_NAMES: WrittenNames = { users: [], groups: [], channels: [] };

/** Text without names. */
export const plain = (content: string): NoticeText => ({ content, names: NO_WRITTEN_NAMES });

/** Joins words and names: `` notice`${person(ann)} is here.` ``; a plain text among them is Markdown too. */
export const notice = (words: TemplateStringsArray, ...pieces: readonly (NoticeText | string)[]): NoticeText =>
  join(
    words.flatMap((text, n) => [text, pieces[n] ?? '']),
    '',
  );

/** Concatenates pieces with a separator. */
export function join(pieces: readonly (NoticeText | string)[], between: string): NoticeText {
  const texts = pieces.map((piece) => (typeof piece === 'string' ? plain(piece) : piece));
  const topics = texts.flatMap(({ names }) => names.topics ?? []);
  const emoji = texts.flatMap(({ names }) => names.emoji ?? []);
  const links = texts.flatMap(({ names }) => names.links ?? []);
  const first = <Name extends 'ownUrl' | 'codeLanguage'>(name: Name) => {
    const value = texts.map(({ names }) => names[name]).find((one) => one !== undefined);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    content: texts.map(({ content }) => content).join(between),
    names: {
      users: texts.flatMap(({ names }) => names.users),
      groups: texts.flatMap(({ names }) => names.groups),
      channels: texts.flatMap(({ names }) => names.channels),
      ...(topics.length > 0 && { topics }),
      ...(emoji.length > 0 && { emoji }),
      ...(links.length > 0 && { links }),
      ...first('ownUrl'),
      ...first('codeLanguage'),
    },
  };
}

/** Characters that end a name in a mention or a link. */
const ENDS_MENTION = /[*`\r\n]/;
const ENDS_LINK = /[*>`\r\n]/;

/** A silent mention of a user. */
export function person({ userId, fullName }: { readonly userId: UserId; readonly fullName: string }): NoticeText {
  const named = ENDS_MENTION.test(fullName) ? {} : { name: fullName };
  const users = [{ ...named, id: userId, userId, fullName }];
  return { content: `@_**${named.name ?? ''}|${userId}**`, names: { ...NO_WRITTEN_NAMES, users } };
}

/**
 * A silent mention of a group.
 *
 * @param name as texts name it
 * @param shown the name that users read
 */
export function group(groupId: GroupId, name: string, shown: string): NoticeText {
  if (ENDS_MENTION.test(name)) return plain(code(shown));
  return { content: `@_*${name}*`, names: { ...NO_WRITTEN_NAMES, groups: [{ written: name, groupId, name: shown }] } };
}

/** A link to a channel; a name that a link cannot contain is written as code. */
export function channelLink({ id, name }: { readonly id: ChannelId; readonly name: string }): NoticeText {
  if (ENDS_LINK.test(name)) return plain(code(name));
  const channels = [{ written: name, channelId: id, name }];
  return { content: `#**${name}**`, names: { ...NO_WRITTEN_NAMES, channels } };
}

/** Parts of a topic's name that a link cannot contain, or that would be parsed as the id of a message. */
const ENDS_TOPIC = /[*`\r\n]|@\d{1,15}$/;

/**
 * A link to a topic of a channel. A name that a link cannot contain is written as code beside a link to the channel.
 *
 * @param messageId a message of the topic, by which the link finds it after a move; null where there is none
 */
export function topicOf(
  place: { readonly id: ChannelId; readonly name: string },
  topic: string,
  messageId: MessageId | null = null,
): NoticeText {
  const within = channelLink(place);
  if (within.names.channels.length === 0 || ENDS_TOPIC.test(topic))
    return topic === '' ? within : notice`${within} > ${code(topic)}`;
  const topics = messageId === null ? [] : [{ channelId: place.id, written: topic, messageId }];
  const names = { ...within.names, ...(topics.length > 0 && { topics }) };
  return { content: `#**${place.name}>${topic}**`, names };
}

/** A link to a message of a channel. A topic that a link cannot contain is shown as by `topicOf`. */
export function messageIn(
  place: { readonly id: ChannelId; readonly name: string },
  topic: string,
  messageId: MessageId,
): NoticeText {
  const link = topicOf(place, topic);
  return { ...link, content: link.content.replace(/\*\*$/, `@${messageId}**`) };
}

/** A user's word as code, so that it has no meaning in Markdown. */
export const code = (word: string): string => `\`${word.replaceAll('`', '´')}\``;

/** A user's text in a block that nothing in it can end and in which nobody is mentioned. */
export function quote(text: string): string {
  const fence = fenceFor(text);
  return `${fence}quote\n${text}\n${fence}`;
}

/** A text of somebody else as a block of code, which nothing in it can end and in which nothing has a meaning. */
export function codeBlock(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${text}\n${fence}`;
}

/** A text that readers open, in a block that nothing in it can end. */
export function spoiler(header: NoticeText, text: NoticeText): NoticeText {
  const fence = fenceFor(text.content);
  return notice`${fence}spoiler ${header}\n${text}\n${fence}`;
}

function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
}
