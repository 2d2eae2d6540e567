import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { MessageSent } from '../../domain/events';
import { readBy } from '../placement/messages.view';

/** Which messages users had read when these arrived, because they sent or caused them. */
export type ReadOnArrival = ReadonlyMap<UserId, ReadonlySet<MessageId>>;

/** Reads which messages some users had read when these arrived, deleted messages included. */
export async function readOnArrival(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<ReadOnArrival> {
  const { rows } = await client.query<{ user: UserId; ids: string }>({
    name: 'messages-read-on-arrival',
    text: `SELECT read_by AS user, json_agg(message_id)::text AS ids FROM view.messages
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND read_by = ANY($3::int8[]) GROUP BY read_by`,
    values: [realmId, ids, users],
  });
  const read = new Map(rows.map((row) => [row.user, new Set(JSON.parse(row.ids) as MessageId[])]));
  const { rows: deleted } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-deleted-read-on-arrival',
    text: `SELECT d.message_id AS id, e.data::text AS data FROM view.deleted_messages AS d
      JOIN events AS e ON e.realm_id = d.realm_id AND e.position = d.message_id
      WHERE d.realm_id = $1 AND d.message_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  for (const { id, data } of deleted) {
    const user = readBy(JSON.parse(data) as MessageSent['data']);
    if (user !== null) read.set(user, (read.get(user) ?? new Set()).add(id));
  }
  return read;
}
