import type { UserId } from '@annals/kernel/domain';
import type { Translate } from '@annals/languages';
import { translator } from '@annals/languages';
import { mailHtml, messagePath, plainText } from '@annals/markdown';
import type { MailBlock, MailContent } from '@annals/mail';
import { TrustedHtml } from '@annals/mail';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import type { DigestChannel } from '../read/digest-facts';
import type { MailReader } from './mail-readers';
import { hiddenReason, hidesContent } from './missed-letter';
import { listedNames } from './texts';

/** A topic with the newest messages that the user may see, ascending and not empty. */
export interface DigestTopic {
  readonly messages: number;
  readonly senders: number;
  readonly newest: readonly MessageRow[];
}

/** What a user missed in some days. */
export interface Digest {
  readonly to: MailReader;
  readonly seen: LoadedMessages;
  /** In all topics of the user, not only the shown ones. */
  readonly messages: number;
  readonly topics: readonly DigestTopic[];
  readonly channels: readonly DigestChannel[];
  /** Names. */
  readonly people: readonly string[];
}

/** The mail of a digest. It only counts if the user or the organization wants no messages in mails. */
export function digestContent(digest: Digest): MailContent {
  const { to } = digest;
  const t = translator(to.language);
  const { name: organization, url } = to.organization;
  return {
    subject: t('emailNotifications.digestSubject', { organization }),
    blocks: [
      ...(hidesContent(to) ? countBlocks(digest, t) : shownBlocks(digest, t)),
      { button: t('emailNotifications.openOrganization', { organization }), url },
      {
        small: `${t('emailNotifications.digestReason')}\n${t('emailNotifications.cannotReply', { organization })}`,
      },
    ],
  };
}

/** No names of people, channels or topics, and no texts. */
function countBlocks({ to, messages, channels }: Digest, t: Translate): MailBlock[] {
  const counts = [
    ...(messages === 0 ? [] : [t('emailNotifications.digestMessages', { count: messages })]),
    ...(channels.length === 0 ? [] : [t('emailNotifications.digestNewChannels', { count: channels.length })]),
  ];
  const list = counts.map((text) => ({ text }));
  return messages === 0 ? [{ list }] : [{ list }, { text: hiddenReason(to, t) }];
}

function shownBlocks(digest: Digest, t: Translate): MailBlock[] {
  const { to, topics, channels, people } = digest;
  const part = (title: string, blocks: readonly MailBlock[]) =>
    blocks.length === 0 ? [] : [{ heading: title }, ...blocks];
  const list = channels.map(({ name }) => ({ text: `#${name}` }));
  return [
    ...part(
      t('emailNotifications.digestTopics'),
      topics.flatMap((topic) => topicBlocks(digest, topic, t)),
    ),
    ...part(t('emailNotifications.digestChannels'), list.length === 0 ? [] : [{ list }]),
    ...part(
      t('emailNotifications.digestPeople'),
      people.length === 0 ? [] : [{ text: listedNames(people, to.language, t) }],
    ),
  ];
}

function topicBlocks({ to, seen }: Digest, topic: DigestTopic, t: Translate): MailBlock[] {
  const [first] = topic.newest;
  if (!first || first.channelId === null) return [];
  const channel = { id: first.channelId, name: first.channelName ?? '' };
  const name = first.topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : (first.topic ?? '');
  const heading = t('emailNotifications.channelSubject', { channel: channel.name, topic: name });
  const url = `${to.organization.url}${messagePath({ channel, topic: first.topic ?? '' }, first.id)}`;
  const senders = new Set(topic.newest.map(({ senderId }) => senderId));
  // All senders are counted, and only those of the newest messages are named.
  const names = [...senders].map((senderId) => nameOf(seen, senderId));
  const unnamed = Math.max(0, topic.senders - senders.size);
  const count = t('emailNotifications.digestTopicMessages', {
    count: topic.messages,
    names: listedNames(names, to.language, t, unnamed),
  });
  const quotes = topic.newest.map((message) => quoteOf(to, seen, message));
  return [{ list: [{ text: heading, url }] }, { text: count }, ...quotes];
}

function quoteOf(to: MailReader, seen: LoadedMessages, message: MessageRow): MailBlock {
  const html = seen.rendered.of(message.text);
  const quote = {
    by: nameOf(seen, message.senderId),
    html: new TrustedHtml(mailHtml(html, to.organization.url)),
    text: plainText(html),
  };
  return { quote };
}

const nameOf = ({ users }: LoadedMessages, userId: UserId): string => users.get(userId)?.fullName ?? '';
