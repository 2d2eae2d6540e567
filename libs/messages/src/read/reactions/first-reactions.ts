import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';

/**
 * By message and user, when the user first reacted. A reaction gives a copy of a message to users who did not receive
 * it.
 */
export type FirstReactions = (message: MessageId, user: UserId) => Position | undefined;

/** Reads when some users first reacted to messages, whether or not the reaction was removed later. */
export async function readFirstReactions(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<FirstReactions> {
  if (ids.length === 0 || users.length === 0) return () => undefined;
  const { rows } = await client.query<{ id: MessageId; user: UserId; at: Position }>({
    name: 'messages-first-reactions',
    text: `SELECT message_id AS id, user_id AS user, min(added_position) AS at FROM view.reactions
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND user_id = ANY($3::int8[]) GROUP BY message_id, user_id`,
    values: [realmId, ids, users],
  });
  const first = new Map(rows.map(({ id, user, at }) => [`${id} ${user}`, at]));
  return (message, user) => first.get(`${message} ${user}`);
}
