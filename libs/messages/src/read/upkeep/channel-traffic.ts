import type { CountedChannel } from '@annals/channels';
import { SILENT_DAYS, TRAFFIC_DAYS } from '@annals/channels';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import { sentSince } from '../placement/sent-since';

/**
 * The traffic of an organization's channels before a day, beside their stored figures. Archived channels are left out, since theirs
 * do not change. A message counts as traffic of the channel it was sent to, and as activity of the channel it is in now.
 *
 * @param day days since the beginning of 1970, UTC
 * @param head position up to which the log is read
 */
export async function countTraffic(
  pool: Pool,
  realmId: RealmId,
  day: number,
  head: number,
): Promise<readonly CountedChannel[]> {
  const begins = (ago: number) => sentSince(pool, realmId, head, ((day - ago) * DAY_MS) as Instant);
  const [silentSince, trafficSince, today] = [await begins(SILENT_DAYS), await begins(TRAFFIC_DAYS), await begins(0)];
  const { rows } = await pool.query<CountedChannel>({
    name: 'messages-channel-traffic',
    text: `WITH traffic AS (
        SELECT channel_id, count(*) AS messages FROM (
          SELECT m.sent_channel_id AS channel_id FROM view.messages AS m WHERE m.realm_id = $1
            AND m.message_id >= $3::int8 AND m.message_id < $4::int8 AND m.sent_channel_id IS NOT NULL
          UNION ALL SELECT d.channel_id FROM view.deleted_messages AS d WHERE d.realm_id = $1
            AND d.message_id >= $3::int8 AND d.message_id < $4::int8 AND d.until IS NULL) AS sent GROUP BY channel_id)
      SELECT c.channel_id AS id, c.created_at AS "createdAt", f.is_recently_active AS "isRecentlyActive",
        f.weekly_traffic AS "weeklyTraffic", coalesce(traffic.messages, 0) AS messages,
        c.created_position >= $2::int8 OR ${HAS_SINCE} AS "hasLife"
      FROM view.channels AS c
      JOIN view.channel_activity AS f ON f.realm_id = c.realm_id AND f.channel_id = c.channel_id
      LEFT JOIN traffic ON traffic.channel_id = c.channel_id
      WHERE c.realm_id = $1 AND NOT c.is_archived ORDER BY c.channel_id`,
    values: [realmId, silentSince, trafficSince, today],
  });
  return rows;
}

/**
 * Condition: a message from `$2` on is in channel `c`, stored under it or in a topic that is stored under another one.
 */
const HAS_SINCE = `(EXISTS (SELECT FROM view.messages AS m
    JOIN view.topics AS p ON p.realm_id = m.realm_id AND p.topic_id = m.topic_id AND p.channel_id = m.channel_id
    WHERE m.realm_id = c.realm_id AND m.channel_id = c.channel_id AND m.message_id >= $2::int8)
  OR EXISTS (SELECT FROM view.topics AS e
    JOIN view.messages AS m ON m.realm_id = e.realm_id AND m.topic_id = e.topic_id AND m.message_id >= $2::int8
    WHERE e.realm_id = c.realm_id AND e.channel_id = c.channel_id AND e.filed_elsewhere))`;
