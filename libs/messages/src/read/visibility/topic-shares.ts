import { READER, readerValues } from '@annals/channels';
import type { Actor, ChannelId, MessageId, TopicId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { TopicPart } from '../../domain/move/move';
import { PLACE_JOIN, VISIBLE_SQL } from './visibility';

/** The messages of topics that a request is about. */
export interface Reach {
  readonly topicIds: readonly TopicId[];
  /** Ids of the first and the last message to move. */
  readonly first: number;
  readonly last: number;
  /** The requested message. */
  readonly messageId: MessageId;
  /** Of those, only these move; null for all. */
  readonly only: readonly MessageId[] | null;
  /** Messages that the same append deletes before. */
  readonly without: readonly { readonly id: MessageId; readonly topicId: TopicId }[];
  /** Whether the reader can see all of them, so that they need not be checked one by one. */
  readonly allVisible: boolean;
}

/** One topic with the old name of a move. */
export interface FoundTopic {
  readonly topicId: TopicId;
  readonly total: number;
  readonly visible: number;
  readonly going: number;
  /** Whether the requested message is in it. */
  readonly holds: boolean;
  /** Visible messages from a position on, and the oldest of them. */
  readonly young: number;
  readonly firstYoung: MessageId | null;
  readonly oldestGoing: MessageId | null;
  readonly oldestStaying: MessageId | null;
}

const seenSql = ({ allVisible }: Reach): string => (allVisible ? 'true' : VISIBLE_SQL);

/** Messages of the topics as rows `w`, with whether they are visible and whether they move. */
const contents = (reach: Reach): string => `(SELECT i.*, i.visible AND i.message_id BETWEEN $7::int8 AND $8::int8
    AND ($9::int8[] IS NULL OR i.message_id = ANY($9)) AS going
  FROM (SELECT m.topic_id, m.message_id, ${seenSql(reach)} AS visible
    FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
    WHERE m.realm_id = $1 AND m.topic_id = ANY($6::int8[]) AND m.message_id <> ALL($10::int8[])) AS i) AS w`;

const valuesOf = (by: Actor, { topicIds, first, last, only, without }: Reach): unknown[] => [
  ...readerValues(by),
  topicIds,
  first,
  last,
  only,
  without.map(({ id }) => id),
];

/**
 * Counts the messages of topics that move, and those that are recent enough. Topics without messages are left out.
 *
 * @param since position from which on messages are recent enough
 */
export async function countTopics(pool: Pool, by: Actor, reach: Reach, since: number): Promise<readonly FoundTopic[]> {
  const { rows } = await pool.query<FoundTopic>({
    name: `messages-topics-to-move-${reach.allVisible}`,
    text: `SELECT w.topic_id AS "topicId", count(*) AS total, count(*) FILTER (WHERE w.visible) AS visible,
        count(*) FILTER (WHERE w.going) AS going, bool_or(w.going AND w.message_id = $11::int8) AS holds,
        count(*) FILTER (WHERE w.visible AND w.message_id >= $12::int8) AS young,
        min(w.message_id) FILTER (WHERE w.visible AND w.message_id >= $12::int8) AS "firstYoung",
        min(w.message_id) FILTER (WHERE w.going) AS "oldestGoing",
        min(w.message_id) FILTER (WHERE NOT w.going) AS "oldestStaying"
      FROM ${contents(reach)} GROUP BY w.topic_id ORDER BY w.topic_id`,
    values: [...valuesOf(by, reach), reach.messageId, since],
  });
  return rows;
}

/** The messages that move, or those that remain, ascending. */
export async function listMessages(
  pool: Pool,
  by: Actor,
  reach: Reach,
  part: TopicPart,
): Promise<readonly MessageId[]> {
  const { rows } = await pool.query<{ id: MessageId }>({
    name: `messages-${part}-${reach.allVisible}`,
    text: `SELECT w.message_id AS id FROM ${contents(reach)} WHERE ${part === 'going' ? '' : 'NOT '}w.going
      ORDER BY w.message_id`,
    values: valuesOf(by, reach),
  });
  return rows.map(({ id }) => id);
}

/** Whether a user has been subscribed to a channel without a break since before the oldest message of its topics. */
export async function wasThereFirst(
  pool: Pool,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  channel: ChannelId,
  topics: readonly TopicId[],
): Promise<boolean> {
  const { rows } = await pool.query<{ first: boolean }>({
    name: 'messages-there-first',
    text: `SELECT EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.user_id = $2 AND s.channel_id = $3
        AND s.to_position IS NULL AND s.from_position <= ALL (SELECT o.message_id FROM unnest($4::int8[]) AS t(topic_id)
          CROSS JOIN LATERAL (SELECT m.message_id FROM view.messages AS m WHERE m.realm_id = $1
            AND m.topic_id = t.topic_id ORDER BY m.topic_id, m.message_id LIMIT 1) AS o)) AS first`,
    values: [realmId, userId, channel, topics],
  });
  return rows[0]?.first ?? false;
}
