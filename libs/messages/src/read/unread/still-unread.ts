import type { Actor, MessageId, Position } from '@annals/kernel/domain';
import { READER, readerValues } from '@annals/channels';
import type { ClientBase, Pool } from 'pg';
import { readImplicitReads } from '../history/implicit-reads';
import { CHANGED_CHANNEL_SQL } from '../placement/placement-sql';
import { PLACE_JOIN } from '../visibility/visibility';
import { MARKED_UNREAD_AT_SQL, MAYBE_UNREAD_SQL } from './unread-sql';

/**
 * Those messages that are unread among messages for which MAYBE_UNREAD_SQL holds: of messages that changed their channel, those
 * to which the account has not lost access since they were sent or marked as unread. In the given order.
 */
export async function stillUnread(
  client: Pool | ClientBase,
  by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>,
  ids: readonly MessageId[],
): Promise<readonly MessageId[]> {
  if (ids.length === 0) return ids;
  const { rows } = await client.query<{ id: MessageId; markedAt: Position | null }>({
    name: 'messages-unread-elsewhere',
    text: `SELECT m.message_id AS id, ${MARKED_UNREAD_AT_SQL} AS "markedAt"
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND m.conversation_id IS NULL AND ${CHANGED_CHANNEL_SQL}`,
    values: [...readerValues(by), ids],
  });
  if (rows.length === 0) return ids;
  const moved = rows.map(({ id }) => id);
  const lostAccessAt = await readImplicitReads(client, by.realmId, moved, [by.userId]);
  const lost = new Set(
    rows.flatMap(({ id, markedAt }) => (lostAccessAt(id, by.userId, markedAt ?? id) === undefined ? [] : [id])),
  );
  return ids.filter((id) => !lost.has(id));
}

/** Reads which of some messages are unread for an account, ascending. */
export async function readUnread(
  client: Pool | ClientBase,
  by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>,
  ids: readonly MessageId[],
): Promise<readonly MessageId[]> {
  if (ids.length === 0) return ids;
  const { rows } = await client.query<{ ids: string | null }>({
    name: 'messages-unread-among',
    text: `SELECT json_agg(m.message_id ORDER BY m.message_id)::text AS ids
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${MAYBE_UNREAD_SQL}`,
    values: [...readerValues(by), ids],
  });
  return stillUnread(client, by, JSON.parse(rows[0]?.ids ?? '[]') as MessageId[]);
}
