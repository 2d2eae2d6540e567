import type { ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

const POLICY = "o.name = 'resolved_topic_notice_auto_read_policy'";

/**
 * Reads the users for whom the notice of a resolved or unresolved topic arrives unread: subscribers whose policy is `never`,
 * and followers of the topic whose policy is not `always` (contract/boot.md section 6,
 * `resolved_topic_notice_auto_read_policy`). Ascending, without bots and deactivated users.
 *
 * @param topicKeys of the names of the topic before and after
 */
export async function readResolutionReaders(
  pool: Pool,
  realmId: RealmId,
  channelId: ChannelId,
  topicKeys: readonly string[],
): Promise<UserId[]> {
  const { rows } = await pool.query<{ id: UserId }>({
    name: 'messages-resolution-readers',
    text: `SELECT u.user_id AS id FROM (
        SELECT o.user_id FROM view.own_settings AS o WHERE o.realm_id = $1 AND ${POLICY} AND o.value = '"never"'
        UNION SELECT f.user_id FROM view.user_topics AS f WHERE f.realm_id = $1 AND f.channel_id = $2
          AND f.name_key = ANY($3::text[]) AND f.to_position IS NULL AND f.policy = 3
          AND NOT EXISTS (SELECT FROM view.own_settings AS o
            WHERE o.realm_id = $1 AND o.user_id = f.user_id AND ${POLICY} AND o.value = '"always"')) AS those
      JOIN view.users AS u ON u.realm_id = $1 AND u.user_id = those.user_id AND u.is_active AND u.bot_type IS NULL
      WHERE EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.channel_id = $2
        AND s.user_id = u.user_id AND s.to_position IS NULL)
      ORDER BY u.user_id`,
    values: [realmId, channelId, topicKeys],
  });
  return rows.map(({ id }) => id);
}
