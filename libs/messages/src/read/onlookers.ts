import { READER, readerValues } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { Actor, GroupId, MessageId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { Having } from './flags';
import { flagsOf } from './flags';
import type { LoadedMessages } from './message-row';
import { WROTE_IN_TOPIC_SQL } from './topic-writers';
import { PARTED_SQL } from './unread';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL } from './visibility';

/** Flags of loaded messages for the account that asks; those that it cannot see by now are left out. */
export async function readFlags(
  client: Pool | ClientBase,
  by: Actor,
  { rows }: LoadedMessages,
): Promise<Map<MessageId, string[]>> {
  const groups = [...rows.values()].flatMap(({ mentions }) => mentions.groupIds);
  const wasIn = await readMembership({ client, realmId: by.realmId }, groups, [by.userId]);
  const had = await readHad(client, by, [...rows.keys()]);
  const flags = new Map<MessageId, string[]>();
  for (const [id, { having, parted, wrote }] of had) {
    const row = rows.get(id);
    if (!row) continue;
    const isIn = (group: GroupId) =>
      wasIn(group, by.userId, { position: row.text.position, at: row.editedAt ?? row.sentAt });
    flags.set(id, flagsOf(row, { userId: by.userId, having, hasParted: parted, isIn, isParticipant: wrote }));
  }
  return flags;
}

interface Had {
  readonly having: Having;
  /** A topic wildcard in it calls the account. */
  readonly wrote: boolean;
  readonly parted: boolean;
}

/** How the account has these messages, as far as it can see them. */
async function readHad(client: Pool | ClientBase, by: Actor, ids: readonly MessageId[]): Promise<Map<MessageId, Had>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Had & { message_id: MessageId }>({
    name: 'messages-had',
    text: `SELECT m.message_id, m.topic_wildcard AND ${WROTE_IN_TOPIC_SQL} AS wrote, ${PARTED_SQL} AS parted,
        CASE WHEN ${RECEIVED_SQL} THEN 'received' WHEN c.history_public_to_subscribers THEN 'history' ELSE 'gained' END
          AS having
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${VISIBLE_SQL}`,
    values: [...readerValues(by), ids],
  });
  return new Map(rows.map((row) => [row.message_id, row]));
}
