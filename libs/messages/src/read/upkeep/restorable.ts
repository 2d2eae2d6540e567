import type { MessageId, Position, RealmId, TopicId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A message that is deleted now. */
export interface DeletedRow {
  readonly id: MessageId;
  readonly deletedAt: Position;
  /** The topic from which it was deleted; null for a direct message. */
  readonly topicId: TopicId | null;
  readonly wasMoved: boolean;
}

/** Those of some messages that are deleted now. */
export async function readDeleted(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
): Promise<DeletedRow[]> {
  const { rows } = await client.query<DeletedRow>({
    name: 'messages-restorable',
    text: `SELECT d.message_id AS id, d.position AS "deletedAt", d.topic_id AS "topicId",
        EXISTS (SELECT FROM view.message_moves AS w
          WHERE w.realm_id = $1 AND w.message_id = d.message_id) AS "wasMoved"
      FROM view.deleted_messages AS d WHERE d.realm_id = $1 AND d.message_id = ANY($2::int8[]) AND d.until IS NULL
      UNION ALL SELECT message_id, position, NULL, false FROM view.deleted_direct_messages
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]) AND until IS NULL
      ORDER BY id`,
    values: [realmId, ids],
  });
  return rows;
}
