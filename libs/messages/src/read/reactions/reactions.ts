import type { ChannelId, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { FeedReader } from '@annals/kernel';
import { containsSql } from '@annals/kernel';
import type { ClientBase, Pool } from 'pg';
import type { Emoji } from '../../domain/reaction/reaction';

/** An emoji that a user added to a message. */
export interface Reaction extends Emoji {
  readonly userId: UserId;
}

/** Condition: message `m` has a reaction. */
export const HAS_REACTION_SQL = `EXISTS (SELECT FROM view.reactions AS w
  WHERE w.realm_id = m.realm_id AND w.message_id = m.message_id AND w.removed_position IS NULL)`;

/**
 * Rows that give a user a copy of a message: reactions, and flags that the user set, with the position of the act. Removing
 * them takes no copy away.
 */
export const COPIES_SQL = `(SELECT realm_id, message_id, user_id, added_position AS since FROM view.reactions
  UNION ALL SELECT realm_id, message_id, user_id, since FROM view.personal_flags)`;

/** The reactions to messages in the order in which they were added; messages without reactions are left out. */
export async function readReactions(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<Map<MessageId, Reaction[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Reaction & { messageId: MessageId }>({
    name: 'messages-reactions',
    text: `SELECT message_id AS "messageId", user_id AS "userId", reaction_type AS type, emoji_code AS code,
        emoji_name AS name FROM view.reactions
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND removed_position IS NULL ORDER BY added_position`,
    values: [realmId, ids],
  });
  return byMessage(rows);
}

const byMessage = (rows: readonly (Reaction & { readonly messageId: MessageId })[]): Map<MessageId, Reaction[]> =>
  grouped(
    rows,
    ({ messageId }) => messageId,
    ({ messageId: _, ...reaction }): Reaction => reaction,
  );

/** The reactions that messages had right after the event at a position, in the same way. */
export async function readReactionsAt(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  position: Position,
): Promise<Map<MessageId, Reaction[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Reaction & { messageId: MessageId }>({
    name: 'messages-reactions-at',
    text: `SELECT message_id AS "messageId", user_id AS "userId", reaction_type AS type, emoji_code AS code,
        emoji_name AS name FROM view.reactions
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND added_position <= $3
        AND (removed_position IS NULL OR removed_position > $3) ORDER BY added_position`,
    values: [realmId, ids, position],
  });
  return byMessage(rows);
}

/** The emoji of a message, each once, with the name that was used first. */
export async function emojiUnder(client: Pool, realmId: RealmId, id: MessageId): Promise<Emoji[]> {
  const { rows } = await client.query<Emoji>({
    name: 'messages-emoji-under',
    text: `SELECT DISTINCT ON (reaction_type, emoji_code) reaction_type AS type, emoji_code AS code, emoji_name AS name
      FROM view.reactions WHERE realm_id = $1 AND message_id = $2 AND removed_position IS NULL
      ORDER BY reaction_type, emoji_code, added_position`,
    values: [realmId, id],
  });
  return rows;
}

/** An event about a channel message, such as a reaction, with the channel of the message at that position. */
export interface ReactedAt {
  readonly position: Position;
  readonly messageId: MessageId;
  readonly channelId: ChannelId;
}

/**
 * Reads the users who had reacted to the message of an event or flagged it by then and were not subscribed. Both give a user a
 * copy of the message.
 *
 * @returns by position of the event; events without such users are left out
 */
export async function readReactingNonSubscribers(
  client: Pool | ClientBase,
  realmId: RealmId,
  reacted: readonly ReactedAt[],
): Promise<Map<Position, UserId[]>> {
  if (reacted.length === 0) return new Map();
  const { rows } = await client.query<{ position: Position; users: UserId[] }>({
    name: 'messages-reacting-non-subscribers',
    text: `SELECT k.position, array_agg(DISTINCT w.user_id) AS users
      FROM unnest($2::int8[], $3::int8[], $4::int8[]) AS k(position, message_id, channel_id)
      JOIN ${COPIES_SQL} AS w ON w.realm_id = $1 AND w.message_id = k.message_id AND w.since <= k.position
      WHERE NOT EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.channel_id = k.channel_id
        AND s.user_id = w.user_id AND ${containsSql('s', 'k.position')})
      GROUP BY k.position`,
    values: [
      realmId,
      reacted.map(({ position }) => position),
      reacted.map(({ messageId }) => messageId),
      reacted.map(({ channelId }) => channelId),
    ],
  });
  return new Map(rows.map(({ position, users }) => [position, users]));
}

/** An event about many messages of a channel. */
export interface ReactedBefore {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
  readonly position: Position;
}

/**
 * Reads the users who had reacted to any message of an event or flagged it before and were not subscribed then.
 *
 * @param ids the messages of all events
 * @returns in the order of the events
 */
export async function readReactingNonSubscribersBefore(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  events: readonly ReactedBefore[],
): Promise<UserId[][]> {
  const { rows } = await client.query<{ userId: UserId; numbers: string; reacted: string }>({
    name: 'messages-reacting-non-subscribers-before',
    text: `WITH reacted AS MATERIALIZED (SELECT user_id, message_id, min(since) AS since FROM ${COPIES_SQL} AS w
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]) GROUP BY user_id, message_id),
      outside AS MATERIALIZED (SELECT user_id, json_agg(n - 1)::text AS numbers
        FROM (SELECT DISTINCT user_id FROM reacted) AS u
        CROSS JOIN unnest($3::int8[], $4::int4[]) WITH ORDINALITY AS a(at, channel_id, n)
        WHERE NOT EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.channel_id = a.channel_id
          AND s.user_id = u.user_id AND ${containsSql('s', 'a.at')})
        GROUP BY user_id)
      SELECT user_id AS "userId", min(numbers) AS numbers, json_agg(json_build_array(message_id, since))::text AS reacted
      FROM reacted JOIN outside USING (user_id) GROUP BY user_id`,
    values: [realmId, ids, events.map(({ position }) => position), events.map(({ channelId }) => channelId)],
  });
  const nonSubscribers = events.map((): UserId[] => []);
  if (rows.length === 0) return nonSubscribers;
  const sets = new Map(events.map(({ messageIds }) => [messageIds, new Set(messageIds)]));
  for (const { userId, numbers, reacted } of rows) {
    const reactions = JSON.parse(reacted) as [MessageId, Position][];
    for (const n of JSON.parse(numbers) as number[]) {
      const { position, messageIds } = events[n] ?? {};
      const among = messageIds && sets.get(messageIds);
      if (position === undefined || !among) continue;
      if (reactions.some(([id, since]) => since < position && among.has(id))) nonSubscribers[n]?.push(userId);
    }
  }
  return nonSubscribers;
}
