import type { Guard } from '@annals/kernel';
import type { ChannelId, MessageId, Position, TopicId } from '@annals/kernel/domain';
import type { Emoji } from '../../domain/reaction/reaction';

/** Key of one message. */
export const messageKey = (id: MessageId): string => String(id);

/**
 * The message exists; key is its id (`messageKey`). Deletions declare the keys of their messages as changed, so that nothing is
 * added to a deleted message.
 */
export const messageThere: Guard = {
  name: 'message-there',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE NOT EXISTS (SELECT FROM view.messages AS m WHERE m.realm_id = k.realm_id AND m.message_id = k.key::int8)`,
};

/** Key of a deleted message and the event with its text. */
export const goneKey = (id: MessageId, text: Position): string => `${id}:${text}`;

/**
 * The message is deleted and its text is in the log; key is `goneKey`. Restorations declare the ids of their messages as
 * changed.
 */
export const messageGone: Guard = {
  name: 'message-gone',
  failing: `SELECT k.ord FROM (SELECT realm_id, split_part(key, ':', 1)::int8 AS message_id,
      split_part(key, ':', 2)::int8 AS position, ord
      FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k
    WHERE EXISTS (SELECT FROM view.messages AS m WHERE m.realm_id = k.realm_id AND m.message_id = k.message_id)
      OR EXISTS (SELECT FROM events AS e
        WHERE e.realm_id = k.realm_id AND e.position = k.position AND e.sealed IS NULL)`,
  concerns: (key) => firstNumber(key),
};

/** The part of a key that other appends know. */
const firstNumber = (key: string): string => key.slice(0, key.indexOf(':'));

/** Key of a topic that has this many messages. */
export const emptiedKey = (topic: TopicId, messages: number): string => `${topic}:${messages}`;

/**
 * The topic has no more messages than those that the append removes; key is `emptiedKey`. Appends that add messages to a topic
 * declare its id as changed.
 */
export const topicEmptied: Guard = {
  name: 'topic-emptied',
  failing: `SELECT k.ord FROM (SELECT realm_id, split_part(key, ':', 1)::int4 AS topic_id,
      split_part(key, ':', 2)::int8 AS messages, ord
      FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k
    WHERE EXISTS (SELECT FROM view.messages AS m WHERE m.realm_id = k.realm_id AND m.topic_id = k.topic_id
      OFFSET k.messages)`,
  concerns: firstNumber,
};

/** The facts that a change of a channel's oldest message depends on. */
export interface OldestFound {
  readonly channelId: ChannelId;
  /** The oldest one so far. */
  readonly from: MessageId;
  /** The oldest one from now on; null when none is left. */
  readonly before: MessageId | null;
  /** How many messages between them, the first included, the append removes. */
  readonly messages: number;
}

/** Stands for the oldest message of a channel where none is left; greater than any. */
const NONE = Number.MAX_SAFE_INTEGER;

/** Key of these facts. */
export const oldestKey = ({ channelId, from, before, messages }: OldestFound): string =>
  [channelId, from, before ?? NONE, messages].join(':');

/**
 * The new oldest message of the channel exists, and no message is older except those that the append removes; key is `oldestKey`.
 * Appends that remove messages from a channel, move some there, or start a topic declare the channel's id.
 */
export const oldestInChannel: Guard = {
  name: 'oldest-in-channel',
  failing: `SELECT k.ord FROM (SELECT realm_id, split_part(key, ':', 1)::int4 AS channel_id,
      split_part(key, ':', 2)::int8 AS first, split_part(key, ':', 3)::int8 AS before,
      split_part(key, ':', 4)::int8 AS messages, ord
      FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)) AS k
    WHERE EXISTS (SELECT FROM (
        SELECT FROM view.messages AS m
          JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id AND p.channel_id = k.channel_id
          WHERE m.realm_id = k.realm_id AND m.channel_id = k.channel_id
            AND m.message_id >= k.first AND m.message_id < k.before
        UNION ALL SELECT FROM view.topics AS p
          JOIN view.messages AS m ON m.realm_id = p.realm_id AND m.topic_id = p.topic_id
            AND m.message_id >= k.first AND m.message_id < k.before AND m.channel_id <> k.channel_id
          WHERE p.realm_id = k.realm_id AND p.channel_id = k.channel_id AND p.filed_elsewhere) AS older
      OFFSET k.messages)
    OR k.before < ${NONE} AND NOT EXISTS (SELECT FROM view.messages AS m
      JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id AND p.channel_id = k.channel_id
      WHERE m.realm_id = k.realm_id AND m.message_id = k.before)`,
  concerns: firstNumber,
};

type EmojiKey = Pick<Emoji, 'type' | 'code'>;

/** Key of an emoji under a message. */
export const emojiUnderKey = (id: MessageId, { type, code }: EmojiKey): string => JSON.stringify([id, type, code]);

/** @param name of the emoji on the message; null when nobody has added it */
export const emojiNameKey = (id: MessageId, { type, code }: EmojiKey, name: string | null): string =>
  JSON.stringify([id, type, code, name]);

const ADDED = `FROM view.reactions AS r WHERE r.realm_id = k.realm_id AND r.message_id = (k.key->>0)::int8
      AND r.reaction_type = k.key->>1 AND r.emoji_code = k.key->>2 AND r.removed_position IS NULL`;

/**
 * The emoji of a message still has this name, or still has none because nobody has added it; key is
 * `emojiCalledKey`. Appends that add it first or remove it declare `emojiUnderKey`; users who add it
 * after others declare nothing, so that many users at once do not wait for each other.
 */
export const emojiNameGuard: Guard = {
  name: 'emoji-name',
  failing: `SELECT k.ord FROM (
      SELECT realm_id, key::jsonb AS key, ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)
    ) AS k WHERE CASE WHEN k.key->>3 IS NULL THEN EXISTS (SELECT ${ADDED})
      ELSE NOT EXISTS (SELECT ${ADDED} AND r.emoji_name = k.key->>3) END`,
  concerns: (key) => {
    const [id, type, code] = JSON.parse(key) as [MessageId, Emoji['type'], string];
    return emojiUnderKey(id, { type, code });
  },
};
