import { containsSql } from '@annals/kernel';
import type { MessageId, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { readBy } from '../../domain/restoration';
import { sentData } from '../../domain/message/stored-data';
import type { Arrival } from '../placement/read-on-arrival';
import { wasReadOnArrival } from '../placement/read-on-arrival';

/** Which messages users had read when these arrived, because they sent or caused them, or had muted the sender. */
export type ReadOnArrival = ReadonlyMap<UserId, ReadonlySet<MessageId>>;

/** Reads which messages some users had read when these arrived, deleted messages included. */
export async function readOnArrival(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<ReadOnArrival> {
  const read = new Map<UserId, Set<MessageId>>();
  const add = (user: UserId, id: MessageId) => read.set(user, (read.get(user) ?? new Set()).add(id));
  const deleted = await readDeletedArrivals(client, realmId, ids);
  for (const one of [...(await readArrivalFacts(client, realmId, ids, users)), ...deleted]) {
    if (one.readBy !== null) add(one.readBy, one.id);
    if (one.unreadFor === null) continue;
    for (const user of users) if (wasReadOnArrival(one, user)) add(user, one.id);
  }
  const { rows: muted } = await client.query<{ user: UserId; id: MessageId }>({
    name: 'messages-muted-on-arrival',
    text: `WITH m AS (SELECT message_id, sender_id FROM view.messages WHERE realm_id = $1 AND message_id = ANY($2::int8[])
        UNION ALL SELECT * FROM unnest($4::int8[], $5::int4[]))
      SELECT u.user_id AS user, m.message_id AS id FROM m
        JOIN view.muted_users AS u ON u.realm_id = $1 AND u.muted_user_id = m.sender_id
          AND ${containsSql('u', 'm.message_id')}
      WHERE u.user_id = ANY($3::int4[])`,
    values: [realmId, ids, users, deleted.map(({ id }) => id), deleted.map(({ senderId }) => senderId)],
  });
  for (const { user, id } of muted) add(user, id);
  return read;
}

interface ArrivedMessage extends Arrival {
  readonly id: MessageId;
}

/** Messages that some of the users had read when they arrived, or that arrived unread for few users. */
async function readArrivalFacts(
  client: ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<ArrivedMessage[]> {
  const { rows } = await client.query<{ readBy: UserId | null; unreadFor: string | null; ids: string }>({
    name: 'messages-read-on-arrival',
    text: `SELECT read_by AS "readBy", array_to_json(unread_for)::text AS "unreadFor", json_agg(message_id)::text AS ids
      FROM view.messages
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND (read_by = ANY($3::int8[]) OR unread_for IS NOT NULL)
      GROUP BY read_by, unread_for`,
    values: [realmId, ids, users],
  });
  return rows.flatMap(({ readBy, unreadFor, ids: alike }) => {
    const arrival = { readBy, unreadFor: unreadFor === null ? null : (JSON.parse(unreadFor) as UserId[]) };
    return (JSON.parse(alike) as MessageId[]).map((id) => ({ id, ...arrival }));
  });
}

/** The same of deleted messages, from the log. */
async function readDeletedArrivals(client: ClientBase, realmId: RealmId, ids: readonly MessageId[]) {
  const { rows } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-deleted-read-on-arrival',
    text: `SELECT d.message_id AS id, e.data::text AS data FROM view.deleted_messages AS d
      JOIN events AS e ON e.realm_id = d.realm_id AND e.position = d.message_id
      WHERE d.realm_id = $1 AND d.message_id = ANY($2::int8[]) AND d.until IS NULL`,
    values: [realmId, ids],
  });
  return rows.map(({ id, data }) => {
    const sent = sentData(data);
    return { id, senderId: sent.senderId, readBy: readBy(sent), unreadFor: sent.notice?.unreadFor ?? null };
  });
}
