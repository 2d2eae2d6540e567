import { plainText } from '@annals/markdown';
import type { UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { LoadedMessages, MessageRow } from '@annals/messages';
import { htmlOf } from '@annals/messages';
import { EMPTY_TOPIC_DISPLAY_NAME, mailDomain } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { avatarUrlFor } from '@annals/users';

/** The organization as phones show it. */
export interface Home {
  readonly url: string;
  readonly name: string;
}

/** A screen of a phone shows no more, in code points. */
const MAX_CONTENT = 200;

const homeFields = ({ url, name }: Home, userId: UserId) => ({ realm_url: url, realm_name: name, user_id: userId });

/** What a phone shows of a message (contract/push.md section 3). */
export function messagePayload(
  home: Home,
  recipient: Pick<UserRow, 'userId' | 'role'>,
  message: MessageRow,
  sender: UserRow,
  loaded: Pick<LoadedMessages, 'realmId'>,
): object {
  const viewer = { userId: recipient.userId, role: recipient.role, mailDomain: mailDomain(home.url) };
  const picture = avatarUrlFor(sender, viewer, false) ?? '';
  return {
    type: 'message',
    ...homeFields(home, recipient.userId),
    sender_id: sender.userId,
    sender_avatar_url: picture.startsWith('/') ? `${home.url}${picture}` : picture,
    sender_full_name: sender.fullName,
    message_id: message.id,
    time: unixSeconds(message.sentAt),
    content: shortened(plainText(htmlOf(loaded.realmId, message.text, false))),
    ...placeFields(message),
  };
}

const placeFields = ({ channelId, channelName, topic, userIds }: MessageRow) =>
  channelId === null
    ? { recipient_type: 'direct', recipient_user_ids: userIds }
    : {
        recipient_type: 'channel',
        channel_id: channelId,
        channel_name: channelName,
        topic: topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic,
      };

/** Takes messages away from a phone (contract/push.md section 3). */
export const removalPayload = (home: Home, userId: UserId, messageIds: readonly number[]): object => ({
  type: 'remove',
  ...homeFields(home, userId),
  message_ids: messageIds,
});

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CONTENT
    ? text
    : `${characters
        .slice(0, MAX_CONTENT - 1)
        .join('')
        .trimEnd()}…`;
}
