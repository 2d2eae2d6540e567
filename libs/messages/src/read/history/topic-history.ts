import type { ChannelId, Instant, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { TopicMoved, TopicStarted } from '../../domain/events';
import { topicAggregate } from '../../domain/topic';
import { erasedTopic } from '../placement/places.view';

/** A topic with the name and the channel that it had. */
export interface TopicPlacement {
  readonly channelId: ChannelId;
  readonly topicId: TopicId;
  readonly topic: string;
}

/** Name and channel of a topic right after the event at a position; undefined before it was started. */
export type TopicHistory = (topic: TopicId, position: Position) => TopicRevision | undefined;

/** A name and a channel of a topic, with the event that set them. */
export interface TopicRevision extends TopicPlacement {
  readonly position: Position;
  readonly at: Instant;
  readonly by: UserId | null;
  readonly commandId: string;
  /** False for the start of the topic. */
  readonly isMove: boolean;
  /** The name was erased, and `topic` is a name in place of it. */
  readonly isErased: boolean;
}

/** By topic, oldest first. */
export type TopicRevisions = ReadonlyMap<TopicId, readonly TopicRevision[]>;

/** Reads which names and channels topics had. */
export const readTopicHistory = async (
  client: Pool | ClientBase,
  realmId: RealmId,
  topics: readonly TopicId[],
): Promise<TopicHistory> => topicHistoryOf(await readTopicRevisions(client, realmId, topics));

export const topicHistoryOf =
  (revisions: TopicRevisions): TopicHistory =>
  (topic, position) =>
    revisions.get(topic)?.findLast((revision) => revision.position <= position);

interface StoredRevision extends Omit<TopicRevision, 'topic' | 'isMove' | 'isErased'> {
  readonly type: TopicStarted['type'] | TopicMoved['type'];
  /** Null once it was erased. */
  readonly name: string | null;
}

/** Reads all revisions of topics from their streams: the names are in the log alone. */
export async function readTopicRevisions(
  client: Pool | ClientBase,
  realmId: RealmId,
  topics: readonly TopicId[],
): Promise<TopicRevisions> {
  const revisions = new Map<TopicId, TopicRevision[]>([...new Set(topics)].map((id) => [id, []]));
  if (revisions.size === 0) return revisions;
  const { rows } = await client.query<StoredRevision>({
    name: 'messages-topic-revisions',
    text: `SELECT type, (data->>'topicId')::int8 AS "topicId", coalesce(data->>'to', data->>'channelId')::int8 AS "channelId",
        sealed->'words'->>'name' AS name, position, at, actor_id AS by, command_id AS "commandId" FROM events
      WHERE realm_id = $1 AND stream = ANY($2::text[]) AND type IN ('messages.TopicStarted', 'messages.TopicMoved')
      ORDER BY stream, version`,
    values: [realmId, [...revisions.keys()].map((id) => topicAggregate.stream(id))],
  });
  for (const { type, name, ...row } of rows) {
    const topic = name ?? erasedTopic(row.topicId);
    const isMove = type === 'messages.TopicMoved';
    revisions.get(row.topicId)?.push({ ...row, topic, isMove, isErased: name === null });
  }
  return revisions;
}
