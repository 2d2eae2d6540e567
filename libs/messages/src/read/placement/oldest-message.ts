import type { ChannelId, MessageId, RealmId, TopicId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** Messages that leave a channel: some ids, and whole topics without some messages that remain. */
export interface RemovedMessages {
  readonly messageIds?: readonly MessageId[];
  readonly topicIds?: readonly TopicId[];
  readonly staying?: readonly MessageId[];
}

/**
 * Messages of channel `$2` from `$3` on, as rows `m`: those stored under it, and those found through their topic alone.
 */
const FILED = `FROM view.messages AS m
  JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id AND p.channel_id = $2::int4
  WHERE m.realm_id = $1 AND m.channel_id = $2::int4 AND m.message_id >= $3::int8`;
const FILED_ELSEWHERE = `FROM view.topics AS p
  JOIN view.messages AS m ON m.realm_id = p.realm_id AND m.topic_id = p.topic_id AND m.message_id >= $3::int8
    AND m.channel_id <> $2::int4
  WHERE p.realm_id = $1 AND p.channel_id = $2::int4 AND p.filed_elsewhere`;

const GOES = `(m.message_id = ANY($4::int8[])
  OR m.topic_id = ANY($5::int8[]) AND NOT m.message_id = ANY($6::int8[]))`;

/**
 * The oldest message of topic `p` that remains. Compared and ordered as pairs, so that the index by topic and message
 * answers: by ids alone the planner may scan all messages of the organization.
 */
const OLDEST_STAYING_IN_TOPIC = `SELECT m.message_id FROM view.messages AS m
  WHERE m.realm_id = p.realm_id AND m.topic_id IS NOT NULL AND m.channel_id <> $2::int4
    AND (m.topic_id, m.message_id) >= (p.topic_id, $3::int8)
    AND (m.topic_id, m.message_id) <= (p.topic_id, ${Number.MAX_SAFE_INTEGER}::int8) AND NOT ${GOES}
  ORDER BY m.topic_id, m.message_id LIMIT 1`;

const values = (realmId: RealmId, channel: ChannelId, from: MessageId, removed: RemovedMessages) => [
  realmId,
  channel,
  from,
  removed.messageIds ?? [],
  removed.topicIds ?? [],
  removed.staying ?? [],
];

/** The oldest remaining message of a channel, from a message on; undefined when none remains. */
export async function oldestStaying(
  pool: Pool,
  realmId: RealmId,
  channel: ChannelId,
  from: MessageId,
  removed: RemovedMessages,
): Promise<MessageId | undefined> {
  const { rows } = await pool.query<{ id: MessageId }>({
    name: 'messages-oldest-staying',
    text: `(SELECT m.message_id AS id ${FILED} AND NOT ${GOES} ORDER BY m.message_id LIMIT 1)
      UNION ALL (SELECT o.message_id FROM view.topics AS p CROSS JOIN LATERAL (${OLDEST_STAYING_IN_TOPIC}) AS o
        WHERE p.realm_id = $1 AND p.channel_id = $2::int4 AND p.filed_elsewhere)
      ORDER BY id LIMIT 1`,
    values: values(realmId, channel, from, removed),
  });
  return rows[0]?.id;
}

/** How many messages of a channel are removed, from a message on and before another, or up to the end. */
export async function countRemoved(
  pool: Pool,
  realmId: RealmId,
  channel: ChannelId,
  [from, before]: readonly [MessageId, MessageId | null],
  removed: RemovedMessages,
): Promise<number> {
  const those = (which: string) => `SELECT ${which} AND ${GOES} AND m.message_id < $7::int8`;
  const { rows } = await pool.query<{ count: number }>({
    name: 'messages-removed',
    text: `SELECT count(*) AS count FROM (${those(FILED)} UNION ALL ${those(FILED_ELSEWHERE)}) AS removed`,
    values: [...values(realmId, channel, from, removed), before ?? Number.MAX_SAFE_INTEGER],
  });
  return rows[0]?.count ?? 0;
}
