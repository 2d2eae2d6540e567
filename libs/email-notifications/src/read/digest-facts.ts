import { READER, readerValues, seesContentSql } from '@annals/channels';
import type { Actor, ChannelId, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { TopicTraffic } from '../domain/hot-topics';

/** Messages of a topic that a digest may show. */
const NEWEST = 3;

/** What people, without bots, wrote in all topics of an organization after a position. */
export async function readTopicTraffic(pool: Pool, realmId: RealmId, after: Position): Promise<TopicTraffic[]> {
  const { rows } = await pool.query<TopicTraffic>({
    name: 'email-topic-traffic',
    text: `SELECT t.topic_id AS "topicId", t.channel_id AS "channelId", x.messages, x.senders, x.newest
      FROM (SELECT m.topic_id, count(*)::int4 AS messages, count(DISTINCT m.sender_id)::int4 AS senders,
          (array_agg(m.message_id ORDER BY m.message_id DESC))[1:${NEWEST}] AS newest
        FROM view.messages AS m JOIN view.users AS u
          ON u.realm_id = m.realm_id AND u.user_id = m.sender_id AND u.bot_type IS NULL AND NOT u.is_system_bot
        WHERE m.realm_id = $1 AND m.message_id > $2 AND m.topic_id IS NOT NULL GROUP BY m.topic_id) AS x
      JOIN view.topics AS t ON t.realm_id = $1 AND t.topic_id = x.topic_id`,
    values: [realmId, after],
  });
  return rows.map((row) => ({ ...row, newest: row.newest.map(Number) as TopicTraffic['newest'][number][] }));
}

/** Those of some topics that a user has in their channels, without muted ones and without a history that is hidden from them. */
export async function readOwnTopics(
  pool: Pool,
  realmId: RealmId,
  userId: UserId,
  after: Position,
  topics: readonly TopicTraffic[],
): Promise<TopicTraffic[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'email-own-topics',
    text: `SELECT t.topic_id AS id FROM unnest($4::int4[]) AS n(id)
      JOIN view.topics AS t ON t.realm_id = $1 AND t.topic_id = n.id
      JOIN view.memberships AS m ON m.realm_id = $1 AND m.user_id = $2 AND m.channel_id = t.channel_id AND m.to_position IS NULL
      JOIN view.channels AS c ON c.realm_id = $1 AND c.channel_id = t.channel_id AND NOT c.is_archived
      LEFT JOIN view.subscriptions AS s ON s.realm_id = $1 AND s.user_id = $2 AND s.channel_id = t.channel_id
      LEFT JOIN view.user_topics AS w ON w.realm_id = $1 AND w.user_id = $2 AND w.channel_id = t.channel_id
        AND w.name_key = t.name_key AND w.to_position IS NULL
      WHERE (c.history_public_to_subscribers OR m.from_position <= $3)
        AND CASE w.policy WHEN 1 THEN false WHEN 2 THEN true WHEN 3 THEN true ELSE NOT coalesce(s.is_muted, false) END`,
    values: [realmId, userId, after, topics.map(({ topicId }) => topicId)],
  });
  const own = new Set(rows.map(({ id }) => id));
  return topics.filter(({ topicId }) => own.has(topicId));
}

/** A channel in a digest. */
export interface DigestChannel {
  readonly id: ChannelId;
  readonly name: string;
}

/** Channels that were created after a position and whose messages an actor may see, oldest first. */
export async function readNewChannels(pool: Pool, by: Actor, after: Position, limit: number): Promise<DigestChannel[]> {
  const { rows } = await pool.query<DigestChannel>({
    name: 'email-new-channels',
    text: `SELECT c.channel_id AS id, c.name FROM ${READER} CROSS JOIN view.channels AS c
      WHERE c.realm_id = $1 AND c.created_position > $6 AND NOT c.is_archived AND ${seesContentSql('c')}
      ORDER BY c.created_position LIMIT $7`,
    values: [...readerValues(by), after, limit],
  });
  return rows;
}

/** People who joined at a time or later, in this order, without one of them. */
export async function readNewPeople(
  pool: Pool,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  since: Instant,
  limit: number,
): Promise<{ readonly userId: UserId; readonly fullName: string }[]> {
  const { rows } = await pool.query<{ userId: UserId; fullName: string }>({
    name: 'email-new-people',
    text: `SELECT u.user_id AS "userId", u.full_name AS "fullName" FROM view.users AS u
      WHERE u.realm_id = $1 AND u.user_id <> $2 AND u.is_active AND u.bot_type IS NULL AND NOT u.is_system_bot
        AND NOT u.awaits_login AND u.joined_at >= $3
      ORDER BY u.joined_at, u.user_id LIMIT $4`,
    values: [realmId, userId, since, limit],
  });
  return rows;
}
