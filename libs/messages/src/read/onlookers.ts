import { READER, readerValues } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { flagsOf } from './flags';
import type { LoadedMessages } from './message-row';
import { WROTE_IN_TOPIC_SQL } from './topic-writers';
import { LEFT_SINCE_SQL } from './unread';
import { PLACE_JOIN, RECEIVED_SQL } from './visibility';

/** Flags of loaded messages for the account that asks. */
export async function readFlags(
  client: Pool | ClientBase,
  by: Actor,
  { rows }: LoadedMessages,
): Promise<Map<MessageId, string[]>> {
  const groups = [...rows.values()].flatMap(({ mentions }) => mentions.groupIds);
  const wasIn = await readMembership({ client, realmId: by.realmId }, groups, [by.userId]);
  const received = await receivedAmong(client, by, [...rows.keys()]);
  return new Map(
    [...rows.values()].map((row) => [
      row.id,
      flagsOf(row, {
        userId: by.userId,
        isReceived: received.has(row.id),
        hasLeftSince: received.get(row.id)?.left ?? false,
        isIn: (group) => wasIn(group, by.userId, { position: row.text.position, at: row.editedAt ?? row.sentAt }),
        isParticipant: received.get(row.id)?.wrote ?? false,
      }),
    ]),
  );
}

interface Received {
  /** A topic wildcard in it calls the account. */
  readonly wrote: boolean;
  readonly left: boolean;
}

/** Those of these messages that reached the account. */
async function receivedAmong(
  client: Pool | ClientBase,
  by: Actor,
  ids: readonly MessageId[],
): Promise<Map<MessageId, Received>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Received & { message_id: MessageId }>({
    name: 'messages-received-among',
    text: `SELECT m.message_id, m.topic_wildcard AND ${WROTE_IN_TOPIC_SQL} AS wrote, ${LEFT_SINCE_SQL} AS left
      FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${RECEIVED_SQL}`,
    values: [...readerValues(by), ids],
  });
  return new Map(rows.map((row) => [row.message_id, row]));
}
