import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { SUBSCRIBED_WHEN_SENT_SQL } from './visibility';

/**
 * Whether a user who was not subscribed received a channel message when it was sent, as its sender or because it mentioned
 * them. Such users never have it unread.
 */
export type NonSubscriberRecipients = (message: MessageId, user: UserId) => boolean;

/** Reads which of some users received messages of channels that they were not subscribed to. */
export async function readNonSubscriberRecipients(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<NonSubscriberRecipients> {
  if (ids.length === 0 || users.length === 0) return () => false;
  const { rows } = await client.query<{ id: MessageId; user: UserId }>({
    name: 'messages-non-subscriber-recipients',
    text: `SELECT m.message_id AS id, r.user_id AS user FROM view.messages AS m CROSS JOIN LATERAL (
        SELECT m.sender_id AS user_id UNION SELECT n.user_id FROM view.mentioned_when_sent AS n
          WHERE n.realm_id = $1 AND n.message_id = m.message_id) AS r
      WHERE m.realm_id = $1 AND m.message_id = ANY($2::int8[]) AND m.conversation_id IS NULL
        AND r.user_id = ANY($3::int8[]) AND NOT ${SUBSCRIBED_WHEN_SENT_SQL}`,
    values: [realmId, ids, users],
  });
  const pairs = new Set(rows.map(({ id, user }) => `${id} ${user}`));
  return (message, user) => pairs.has(`${message} ${user}`);
}
