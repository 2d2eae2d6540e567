import { plainText } from '@annals/markdown';
import type { GroupId, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { MessageRow } from '@annals/messages';
import { htmlOf } from '@annals/messages';
import { EMPTY_TOPIC_DISPLAY_NAME, mailDomain } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { avatarUrlFor } from '@annals/users';

/** The organization in a notification. */
export interface Home {
  readonly url: string;
  readonly name: string;
}

/** A screen of a phone shows no more, in code points. */
const MAX_CONTENT = 200;
/**
 * Maximum payload in bytes of JSON: the 4 KiB that phones accept without the costs of encryption, base64 and the
 * unencrypted fields.
 */
export const MAX_PAYLOAD_BYTES = 2_800;
/** So many bytes of the text take precedence over the list of recipients. */
const LEAST_CONTENT_BYTES = 100;
/** Ids that one payload removes. Older notifications are rarely on a screen any more. */
const MAX_REMOVED = 200;

/** The recipient of a notification. */
export interface MentionedReader extends Pick<UserRow, 'userId' | 'role'> {
  /** The message mentions the recipient by this group, and not by name. */
  readonly mentionedBy: { readonly id: GroupId; readonly name: string } | null;
}

const homeFields = ({ url, name }: Home, userId: UserId) => ({ realm_url: url, realm_name: name, user_id: userId });

/**
 * The payload of a message (contract/push.md section 3). For a conversation of hundreds it is shortened, in the end
 * without the participants: a payload that is too large is never delivered.
 *
 * @param sender as the recipient may see them
 */
export function messagePayload(home: Home, to: MentionedReader, message: MessageRow, sender: UserRow): object {
  const { userId, role, mentionedBy: mentionedBy } = to;
  const viewer = { userId, role, mailDomain: mailDomain(home.url) };
  const picture = avatarUrlFor(sender, viewer, false) ?? '';
  return fitted({
    type: 'message',
    ...homeFields(home, userId),
    sender_id: sender.userId,
    sender_avatar_url: picture.startsWith('/') ? `${home.url}${picture}` : picture,
    sender_full_name: sender.fullName,
    message_id: message.id,
    time: unixSeconds(message.sentAt),
    content: shortened(plainText(htmlOf(sender.realmId, wordsOf(message.text), false))),
    ...placeFields(message),
    ...(mentionedBy && { mentioned_user_group_id: mentionedBy.id, mentioned_user_group_name: mentionedBy.name }),
  });
}

/** A text without what was noted about its links and images. */
const wordsOf = ({ position, content, names }: MessageRow['text']) => ({ position, content, names });

const placeFields = ({ channelId, channelName, topic, userIds }: MessageRow) =>
  channelId === null
    ? { recipient_type: 'direct', recipient_user_ids: userIds }
    : {
        recipient_type: 'channel',
        channel_id: channelId,
        channel_name: channelName,
        topic: topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic,
      };

/**
 * The payload that removes notifications from a phone, for the newest messages (contract/push.md section 3). @param
 * messageIds ascending
 */
export const removalPayload = (home: Home, userId: UserId, messageIds: readonly number[]): object => ({
  type: 'remove',
  ...homeFields(home, userId),
  message_ids: messageIds.slice(-MAX_REMOVED),
});

function shortened(text: string, most = MAX_CONTENT): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

const bytesOf = (payload: unknown): number => Buffer.byteLength(JSON.stringify(payload));

/** The parts of a payload that can be shortened. */
interface Shortable {
  readonly content: string;
  readonly recipient_user_ids?: readonly UserId[] | undefined;
}

function fitted(payload: Shortable & Readonly<Record<string, unknown>>): object {
  if (bytesOf(payload) <= MAX_PAYLOAD_BYTES) return payload;
  const { recipient_user_ids, ...rest } = payload;
  const isTooMany = bytesOf({ ...payload, content: '' }) > MAX_PAYLOAD_BYTES - LEAST_CONTENT_BYTES;
  const kept = isTooMany || !recipient_user_ids ? rest : payload;
  let { content } = payload;
  while (content !== '' && bytesOf({ ...kept, content }) > MAX_PAYLOAD_BYTES) {
    content = shortened(content, [...content].length - 1);
  }
  return { ...kept, content };
}
