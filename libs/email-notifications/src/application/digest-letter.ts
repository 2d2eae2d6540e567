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
import { hidesContent } from './missed-letter';
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
  readonly topics: readonly DigestTopic[];
  readonly channels: readonly DigestChannel[];
  /** Names. */
  readonly people: readonly string[];
}

/** The mail of a digest. Without the texts of messages if the user does not want them in mails. */
export function digestContent(digest: Digest): MailContent {
  const { to, topics, channels, people } = digest;
  const t = translator(to.language);
  const { name: organization, url } = to.organization;
  const part = (title: string, blocks: readonly MailBlock[]) =>
    blocks.length === 0 ? [] : [{ heading: title }, ...blocks];
  const list = channels.map(({ name }) => ({ text: `#${name}` }));
  return {
    subject: t('emailNotifications.digestSubject', { organization }),
    blocks: [
      ...part(
        t('emailNotifications.digestTopics'),
        topics.flatMap((topic) => topicBlocks(digest, topic, t)),
      ),
      ...part(t('emailNotifications.digestChannels'), list.length === 0 ? [] : [{ list }]),
      ...part(
        t('emailNotifications.digestPeople'),
        people.length === 0 ? [] : [{ text: listedNames(people, to.language, t) }],
      ),
      { button: t('emailNotifications.openOrganization', { organization }), url },
      {
        small: `${t('emailNotifications.digestReason')}\n${t('emailNotifications.cannotReply', { organization })}`,
      },
    ],
  };
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
  const quotes = hidesContent(to) ? [] : topic.newest.map((message) => quoteOf(to, seen, message));
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
