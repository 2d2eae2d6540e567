import type { Instant, MessageId, RealmId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { NamedPlace } from '../../domain/move/move';
import type { NoticeAbout } from '../../domain/message/message';
import { topicKey } from '../../domain/topic';

/** A message, and its subject if it is a notice. */
export interface Newest {
  readonly id: MessageId;
  readonly sentAt: Instant;
  readonly about: NoticeAbout | null;
}

/** The newest message of the topics with a name. Null when there is none. */
export async function newestInTopics(
  pool: Pool,
  realmId: RealmId,
  { channelId, name }: NamedPlace,
): Promise<Newest | null> {
  const { rows } = await pool.query<Newest>({
    name: 'messages-newest-in-topics',
    text: `SELECT n.message_id AS id, n.sent_at AS "sentAt", e.data->'notice'->>'about' AS about
      FROM view.topics AS t
      CROSS JOIN LATERAL (SELECT m.message_id, m.sent_at FROM view.messages AS m
        WHERE m.realm_id = t.realm_id AND m.topic_id = t.topic_id ORDER BY m.topic_id DESC, m.message_id DESC LIMIT 1) AS n
      JOIN events AS e ON e.realm_id = $1 AND e.position = n.message_id
      WHERE t.realm_id = $1 AND t.channel_id = $2 AND t.name_key = $3 ORDER BY n.message_id DESC LIMIT 1`,
    values: [realmId, channelId, topicKey(name)],
  });
  return rows[0] ?? null;
}
