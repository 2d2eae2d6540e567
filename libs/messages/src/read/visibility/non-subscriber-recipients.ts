import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { WAS_THERE_SQL } from './visibility';

/**
 * Whether a channel message reached somebody who was not subscribed when it was sent, because it is theirs or calls them:
 * to them it has been read since.
 */
export type Outsiders = (message: MessageId, user: UserId) => boolean;

/** Reads to which of some people messages came from outside their channels. */
export async function readOutsiders(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Outsiders> {
  if (ids.length === 0 || users.length === 0) return () => false;
  const { rows } = await client.query<{ id: MessageId; user: UserId }>({
    name: 'messages-outsiders',
    text: `SELECT m.message_id AS id, r.user_id AS user FROM view.messages AS m CROSS JOIN LATERAL (
        SELECT m.sender_id AS user_id UNION SELECT n.user_id FROM view.called AS n
          WHERE n.realm_id = $1 AND n.message_id = m.message_id) AS r
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND m.conversation_id IS NULL
        AND r.user_id = ANY($3::int8[]) AND NOT ${WAS_THERE_SQL}`,
    values: [realmId, ids, users],
  });
  const pairs = new Set(rows.map(({ id, user }) => `${id} ${user}`));
  return (message, user) => pairs.has(`${message} ${user}`);
}
