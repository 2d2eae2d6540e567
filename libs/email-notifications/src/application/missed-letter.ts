import type { Translate } from '@annals/languages';
import { translator } from '@annals/languages';
import { mailHtml, messagePath, plainText } from '@annals/markdown';
import type { MailBlock, MailContent } from '@annals/mail';
import { TrustedHtml } from '@annals/mail';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import type { NotificationReason } from '@annals/push';
import { EMPTY_TOPIC_DISPLAY_NAME } from '@annals/realm';
import type { MailReader } from './mail-readers';
import { listedNames, reasonText } from './texts';

/** A mail about missed messages, before it is written. */
export interface MissedLetter {
  readonly to: MailReader;
  /** What the user sees of the organization. A guest does not see the names of everybody. */
  readonly seen: LoadedMessages;
  /** Ascending, not empty. All of them are among `seen`. */
  readonly messages: readonly MessageRow[];
  readonly reasons: readonly NotificationReason[];
  /** Messages that are in no block. */
  readonly more: number;
  /** Whether an answer to the mail becomes a message. */
  readonly canReply: boolean;
}

/** Whether mails of a user have no messages in them, by the choice of the organization or of the user. */
export const hidesContent = ({ settings, organization }: MailReader): boolean =>
  !settings.message_content_in_email_notifications ||
  !organization.settings.message_content_allowed_in_email_notifications;

/** Why there are no messages in a mail. */
export const hiddenReason = ({ organization: { name, settings } }: MailReader, t: Translate): string =>
  settings.message_content_allowed_in_email_notifications
    ? t('emailNotifications.hiddenByUser')
    : t('emailNotifications.hiddenByOrganization', { organization: name });

/** A mail that says only that there are messages: no names, no conversation, no text. */
export function hiddenContent(to: MailReader): MailContent {
  const t = translator(to.language);
  const { name, url } = to.organization;
  return {
    subject: t('emailNotifications.hiddenSubject'),
    blocks: [
      { text: hiddenReason(to, t) },
      { button: t('emailNotifications.openOrganization', { organization: name }), url },
      { small: t('emailNotifications.cannotReply', { organization: name }) },
    ],
  };
}

/** A mail with the messages of a conversation. */
export function missedContent(letter: MissedLetter): MailContent {
  const { to, messages, reasons, more, canReply } = letter;
  const t = translator(to.language);
  const [first] = messages;
  if (!first) throw new Error('a mail about no message');
  const { name: organization } = to.organization;
  const closing = canReply ? t('emailNotifications.canReply') : t('emailNotifications.cannotReply', { organization });
  return {
    subject: titleOf(letter, first, t),
    blocks: [
      ...messageBlocks(letter, t),
      ...(more > 0 ? [{ text: t('emailNotifications.moreMessages', { count: more }) }] : []),
      { button: t('emailNotifications.openConversation'), url: urlOf(to, first) },
      { small: `${reasonText(reasons, t)}\n${closing}` },
    ],
  };
}

/** Messages that were moved since they were put into the mail have the title of their conversation. */
function messageBlocks(letter: MissedLetter, t: Translate): MailBlock[] {
  const { to, seen, messages } = letter;
  const [first] = messages;
  let title = first && titleOf(letter, first, t);
  return messages.flatMap((message) => {
    const own = titleOf(letter, message, t);
    const isElsewhere = own !== title;
    title = own;
    const html = seen.rendered.of(message.text);
    const quote = {
      by: nameOf(seen, message.senderId),
      html: new TrustedHtml(mailHtml(html, to.organization.url)),
      text: plainText(html),
    };
    return isElsewhere ? [{ heading: own, url: urlOf(to, message) }, { quote }] : [{ quote }];
  });
}

/** The conversation of a message, as a subject. */
function titleOf({ to, seen }: MissedLetter, message: MessageRow, t: Translate): string {
  const { conversationId, channelName, topic, userIds } = message;
  if (conversationId === null) {
    const named = { channel: channelName ?? '', topic: topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : (topic ?? '') };
    return t('emailNotifications.channelSubject', named);
  }
  const names = userIds.filter((userId) => userId !== to.user.userId).map((userId) => nameOf(seen, userId));
  return t('emailNotifications.directSubject', { names: listedNames(names, to.language, t) });
}

const nameOf = ({ users }: LoadedMessages, userId: number): string =>
  users.get(userId as MessageRow['senderId'])?.fullName ?? '';

function urlOf({ organization: { url } }: MailReader, message: MessageRow): string {
  const { id, channelId, channelName, topic, userIds } = message;
  const place =
    channelId === null ? { userIds } : { channel: { id: channelId, name: channelName ?? '' }, topic: topic ?? '' };
  return `${url}${messagePath(place, id)}`;
}
