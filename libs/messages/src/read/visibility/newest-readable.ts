import { READER, readerValues } from '@annals/channels';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { Pool } from 'pg';
import type { NamedPlace } from '../../domain/move/move';
import { topicKey } from '../../domain/topic';
import { PLACE_JOIN, VISIBLE_SQL } from './visibility';

/**
 * A text may link to hundreds of topics, and from a long one with protected history its author may have received
 * nothing.
 */
const LOOKED_AT = 100;

/**
 * The newest message of each place that a reader can read, in topics of its name in any letter case. Null if they can
 * read none of the newest ones.
 */
export async function newestReadable(
  pool: Pool,
  by: Actor,
  places: readonly NamedPlace[],
): Promise<readonly (MessageId | null)[]> {
  const { rows } = await pool.query<{ id: MessageId | null }>({
    name: 'messages-newest-readable',
    text: `SELECT (SELECT max(n.message_id) FROM view.topics AS e CROSS JOIN LATERAL (
          SELECT m.message_id FROM (SELECT i.* FROM view.messages AS i
            WHERE i.realm_id = e.realm_id AND i.topic_id = e.topic_id
            ORDER BY i.topic_id DESC, i.message_id DESC LIMIT ${LOOKED_AT}) AS m ${PLACE_JOIN}
          WHERE ${VISIBLE_SQL} ORDER BY m.message_id DESC LIMIT 1) AS n
        WHERE e.realm_id = $1 AND e.channel_id = w.channel_id AND e.name_key = w.name_key) AS id
      FROM ${READER} CROSS JOIN unnest($6::int8[], $7::text[]) WITH ORDINALITY AS w(channel_id, name_key, n) ORDER BY w.n`,
    values: [...readerValues(by), places.map(({ channelId }) => channelId), places.map(({ name }) => topicKey(name))],
  });
  return rows.map(({ id }) => id);
}
