import type { MessageId, RealmId, TopicId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** The topics in which messages are now. Deleted and direct messages are left out. */
export async function readTopicsOf(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, TopicId>> {
  const { rows } = await client.query<{ id: MessageId; topicId: TopicId }>({
    name: 'messages-topics-of',
    text: `SELECT message_id AS id, topic_id AS "topicId" FROM view.messages
      WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND topic_id IS NOT NULL`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, topicId }) => [id, topicId]));
}
