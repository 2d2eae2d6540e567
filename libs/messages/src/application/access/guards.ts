import type { Guard } from '@annals/kernel';
import type { ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import type { Emoji } from '../../domain/reaction/reaction';

/** Key of one message. */
export const messageKey = (id: MessageId): string => String(id);

/**
 * The message is there; key is its id (`messageKey`). Whoever deletes messages declares their keys as changed, so that
 * nothing is added to what is gone.
 */
export const messageThere: Guard = {
  name: 'message-there',
  failing: `SELECT k.ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS k(realm_id, key, ord)
    WHERE NOT EXISTS (SELECT FROM view.messages AS m WHERE m.realm_id = k.realm_id AND m.message_id = k.key::int8)`,
};

/** Others know the first number of a key. */
const firstNumber = (key: string): string => key.slice(0, key.indexOf(':'));

/** Key of a topic in which somebody found this many messages. */
export const emptiedKey = (topic: TopicId, messages: number): string => `${topic}:${messages}`;

/**
 * No more messages are in the topic than those that the append takes away; key is `emptiedKey`. Whoever adds messages
 * to a topic declares its id as changed.
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

/** What is rested on when the oldest message of a channel becomes another one. */
export interface OldestFound {
  readonly channelId: ChannelId;
  /** The oldest one so far. */
  readonly from: MessageId;
  /** The oldest one from now on; null when none is left. */
  readonly before: MessageId | null;
  /** How many of the messages between them, the first included, the append takes away. */
  readonly messages: number;
}

/** Stands for the oldest message of a channel where none is left; greater than any. */
const NONE = Number.MAX_SAFE_INTEGER;

/** Key of what somebody found. */
export const oldestKey = ({ channelId, from, before, messages }: OldestFound): string =>
  [channelId, from, before ?? NONE, messages].join(':');

/**
 * The message that shall be the oldest of the channel is there, and none is older but for those that the append takes
 * away; key is `oldestKey`. Whoever takes messages from a channel, brings some there, or begins a topic, declares its id.
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

/** @param name that it was found to have there; null when nobody had put it there */
export const emojiNameKey = (id: MessageId, { type, code }: EmojiKey, name: string | null): string =>
  JSON.stringify([id, type, code, name]);

const PUT_THERE = `FROM view.reactions AS r WHERE r.realm_id = k.realm_id AND r.message_id = (k.key->>0)::int8
      AND r.reaction_type = k.key->>1 AND r.emoji_code = k.key->>2 AND r.removed_position IS NULL`;

/**
 * An emoji under a message is still called so, or still by no name because nobody has put it there; key is
 * `emojiCalledKey`. Whoever puts it there first or takes it away declares `emojiUnderKey`; who joins others declares
 * nothing, so that those of a crowd do not wait for each other.
 */
export const emojiName: Guard = {
  name: 'emoji-called',
  failing: `SELECT k.ord FROM (
      SELECT realm_id, key::jsonb AS key, ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)
    ) AS k WHERE CASE WHEN k.key->>3 IS NULL THEN EXISTS (SELECT ${PUT_THERE})
      ELSE NOT EXISTS (SELECT ${PUT_THERE} AND r.emoji_name = k.key->>3) END`,
  concerns: (key) => {
    const [id, type, code] = JSON.parse(key) as [MessageId, Emoji['type'], string];
    return emojiUnderKey(id, { type, code });
  },
};
