import type { MessageId, Position, RealmId, TopicId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import { readPlacements } from './timeline/placements';

/** A topic that a restoration started in the place of one that had ended. */
export interface RestoredTopic {
  readonly endedId: TopicId;
  readonly topicId: TopicId;
}

/** Reads which topics took the place of topics that ended, because deleted messages of them were restored. */
export async function readRestoredTopics(
  client: Pool | ClientBase,
  realmId: RealmId,
  ended: readonly TopicId[],
): Promise<RestoredTopic[]> {
  if (ended.length === 0) return [];
  const { rows } = await client.query<{ id: MessageId; endedId: TopicId; position: Position }>({
    name: 'messages-restored-topics',
    // A restoration that starts a topic is stored as a move of its messages.
    text: `SELECT d.message_id AS id, d.topic_id AS "endedId", d.until AS position FROM view.deleted_messages AS d
      JOIN view.message_moves AS w ON w.realm_id = $1 AND w.message_id = d.message_id AND w.position = d.until
      WHERE d.realm_id = $1 AND d.topic_id = ANY($2::int4[])`,
    values: [realmId, ended],
  });
  const placements = await readPlacements(client, realmId, [...new Set(rows.map(({ id }) => id))]);
  const found = new Map<TopicId, RestoredTopic>();
  for (const { id, endedId, position } of rows) {
    const topicId = placements.topicAt(id, position);
    if (topicId !== undefined) found.set(topicId, { endedId, topicId });
  }
  return [...found.values()];
}
