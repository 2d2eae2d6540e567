import type { FeedReader, PositionedClientEvent, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { Position, UserId } from '@annals/kernel/domain';
import { contains, grouped } from '@annals/kernel/domain';
import type { TopicFormat } from '../read/topic-policies/present-topic-policy';
import { presentMutedTopics, presentTopicPolicy } from '../read/topic-policies/present-topic-policy';
import type { MutedTopic } from '../read/topic-policies/topic-policies';
import { readMutedTopics } from '../read/topic-policies/topic-policies';
import type { TopicPolicyPayload } from './topic-policies.feed';

const formatOf = ({ capabilities }: Pick<QueueProfile, 'capabilities'>): TopicFormat => ({
  emptyTopicName: capabilities.empty_topic_name,
  archivedChannels: capabilities.archived_channels,
});

/** Names of topics by the position of the event that contains them. Erased ones are left out. */
type Names = ReadonlyMap<Position, Partial<Record<TopicPolicyPayload['named'], string>>>;

/** contract/messages.md section 10 and realtime.md section 6.2, `user_topic` */
export const topicPoliciesPresenter = definePresenter<Names>({
  type: 'user_topic',
  load: readNames,
  present: ({ position, payload }, names, queue) => {
    const { channelId, named, policy, at } = payload as unknown as TopicPolicyPayload;
    const name = names.get(position)?.[named];
    if (name === undefined) return [];
    return [{ type: 'user_topic', ...presentTopicPolicy({ channelId, name, policy }, at, formatOf(queue)) }];
  },
  variant: (_event, _names, { capabilities }) => String(capabilities.empty_topic_name),
});

async function readNames({ client, realmId }: FeedReader, events: readonly PositionedClientEvent[]): Promise<Names> {
  const { rows } = await client.query<{ position: Position; names: string | null }>({
    name: 'channels-topic-names-at',
    text: `SELECT position, sealed->>'words' AS names FROM events WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    values: [realmId, [...new Set(events.map(({ position }) => position))]],
  });
  return new Map(rows.flatMap(({ position, names }) => (names === null ? [] : [[position, JSON.parse(names)]])));
}

/** The muted topics of users, at every position of a batch. */
type Muted = ReadonlyMap<UserId, readonly MutedTopic[]>;

/** The whole list, for clients without support for `user_topic` (contract/messages.md section 10). */
export const mutedTopicsPresenter = definePresenter<Muted>({
  type: 'muted_topics',
  load: async ({ client, realmId }, events) => {
    const users = new Set(events.flatMap(({ audience }) => (audience.kind === 'users' ? audience.users : [])));
    const positions = events.map(({ position }) => position);
    const within = { first: Math.min(...positions) as Position, last: Math.max(...positions) as Position };
    return grouped(await readMutedTopics(client, realmId, [...users], within), ({ userId }) => userId);
  },
  present: ({ position }, muted, queue) => {
    const own = (muted.get(queue.userId) ?? []).filter((topic) => contains(topic, position));
    return [{ type: 'muted_topics', muted_topics: presentMutedTopics(own, formatOf(queue)) }];
  },
  variant: (_event, _muted, { userId, capabilities }) =>
    `${userId} ${capabilities.empty_topic_name} ${capabilities.archived_channels}`,
});
