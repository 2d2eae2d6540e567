import { READER, readerValues } from '@annals/channels';
import type { Actor, MessageId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { flagsOf } from './flags';
import type { LoadedMessages } from './message-row';
import { topicWriters } from './topic-writers';
import { RECEIVED_SQL } from './visibility';

/** Flags of loaded messages for the account that asks. */
export async function readFlags(
  client: Pool | ClientBase,
  by: Actor,
  { rows }: LoadedMessages,
): Promise<Map<MessageId, string[]>> {
  const received = await receivedAmong(client, by, [...rows.keys()]);
  const wildcards = [...rows.values()].filter(({ mentions }) => mentions.topicWildcard).map(({ id }) => id);
  const joined = await participatedIn(client, by, wildcards);
  return new Map(
    [...rows.values()].map((row) => [
      row.id,
      flagsOf(row, {
        userId: by.userId,
        isReceived: received.has(row.id),
        isIn: (group) => by.groups.has(group),
        isParticipant: joined.has(row.id),
      }),
    ]),
  );
}

async function receivedAmong(client: Pool | ClientBase, by: Actor, ids: readonly MessageId[]): Promise<Set<MessageId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ message_id: MessageId }>({
    name: 'messages-received-among',
    text: `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m
      WHERE m.realm_id = $1 AND m.message_id = ANY($6::int8[]) AND ${RECEIVED_SQL}`,
    values: [...readerValues(by), ids],
  });
  return new Set(rows.map((row) => row.message_id));
}

/** Those of these messages in whose topic the account had written by then. */
async function participatedIn(
  client: Pool | ClientBase,
  by: Actor,
  ids: readonly MessageId[],
): Promise<Set<MessageId>> {
  const writers = await topicWriters(client, by.realmId, ids);
  return new Set(ids.filter((id) => writers.get(id)?.has(by.userId)));
}
