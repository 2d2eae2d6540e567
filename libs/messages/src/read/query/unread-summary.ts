import { isMutedSql, topicPolicyJoin } from '@annals/channels';
import { readMembership } from '@annals/groups';
import type {
  Actor,
  ChannelId,
  ConversationId,
  GroupId,
  LogPoint,
  MessageId,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import { ascending, grouped } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { shownTopic } from '../content/present-message';
import type { UnreadIds, UnreadPlace } from '../unread/unread-ids';

type Reader = Pick<Actor, 'realmId' | 'userId'>;

/** `unread_msgs` of an account (contract/boot.md section 8), where the unread messages are now. */
export async function presentUnread(
  client: ClientBase,
  by: Reader,
  { places, hasMore }: UnreadIds,
  allowEmptyTopicName: boolean,
) {
  const topics = await readTopics(client, by, places);
  const conversations = await readConversations(client, by, places);
  const isLoud = ({ topicId }: UnreadPlace) => topicId === null || topics.get(topicId)?.isMuted === false;
  const loud = places.filter(isLoud);
  const { pms, huddles } = presentDirect(by, places, conversations);
  return {
    count: loud.reduce((sum, { ids }) => sum + ids.length, 0),
    pms,
    streams: presentTopics(places, topics, allowEmptyTopicName),
    huddles,
    mentions: await mentionsAmong(client, by, places, loud),
    old_unreads_missing: hasMore,
  };
}

interface UnreadTopic {
  readonly id: TopicId;
  readonly channelId: ChannelId;
  readonly name: string;
  /** Whether the topic is muted, or its channel and not the topic unmuted. */
  readonly isMuted: boolean;
}

async function readTopics(client: ClientBase, { realmId, userId }: Reader, places: readonly UnreadPlace[]) {
  const ids = places.flatMap(({ topicId }) => topicId ?? []);
  if (ids.length === 0) return new Map<TopicId, UnreadTopic>();
  // One large value: so many rows would take longer to read.
  const { rows } = await client.query<{ topics: string | null }>({
    name: 'messages-unread-topics',
    text: `SELECT json_agg(json_build_object('id', p.topic_id, 'channelId', p.channel_id, 'name', p.name,
        'isMuted', ${isMutedSql('coalesce(o.is_muted, false)')}))::text AS topics
      FROM (SELECT $2::int8 AS user_id) AS r CROSS JOIN unnest($3::int4[]) AS u(topic_id)
      JOIN view.topics AS p ON p.realm_id = $1 AND p.topic_id = u.topic_id
      LEFT JOIN view.subscriptions AS o ON o.realm_id = $1 AND o.channel_id = p.channel_id AND o.user_id = r.user_id
      ${topicPolicyJoin('p')}`,
    values: [realmId, userId, ids],
  });
  const topics = JSON.parse(rows[0]?.topics ?? '[]') as UnreadTopic[];
  return new Map(topics.map((topic) => [topic.id, topic]));
}

/** The users of each conversation, ascending. */
async function readConversations(client: ClientBase, { realmId }: Reader, places: readonly UnreadPlace[]) {
  const ids = places.flatMap(({ conversationId }) => conversationId ?? []);
  if (ids.length === 0) return new Map<ConversationId, UserId[]>();
  const { rows } = await client.query<{ id: ConversationId; userIds: (string | number)[] }>({
    name: 'messages-unread-conversations',
    text: `SELECT c.conversation_id AS id, c.user_ids AS "userIds" FROM view.conversations AS c
      WHERE c.realm_id = $1 AND c.conversation_id = ANY($2::int4[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ id, userIds }) => [id, userIds.map(Number) as UserId[]]));
}

/** Topics of one channel with the same name are one for clients; the newest message decides how it is written. */
function presentTopics(
  places: readonly UnreadPlace[],
  topics: ReadonlyMap<TopicId, UnreadTopic>,
  allowEmptyTopicName: boolean,
) {
  const named = places.flatMap(({ topicId, ids }) => {
    const topic = topicId === null ? undefined : topics.get(topicId);
    if (!topic) return [];
    return { channelId: topic.channelId, shown: shownTopic(topic.name, allowEmptyTopicName), ids };
  });
  const byName = grouped(named, ({ channelId, shown }) => `${channelId} ${shown.toLowerCase()}`);
  return [...byName.values()]
    .map((same) => {
      const newest = same.reduce((one, other) => (newestOf(other) > newestOf(one) ? other : one));
      return { stream_id: newest.channelId, topic: newest.shown, unread_message_ids: together(same) };
    })
    .sort(byOldest);
}

function presentDirect(
  { userId }: Reader,
  places: readonly UnreadPlace[],
  conversations: ReadonlyMap<ConversationId, readonly UserId[]>,
) {
  const direct = places.flatMap(({ conversationId, ids }) => {
    const people = conversationId === null ? undefined : conversations.get(conversationId);
    return people ? { people, unread_message_ids: ids } : [];
  });
  const pms = direct
    .filter(({ people }) => people.length <= 2)
    .map(({ people, unread_message_ids }) => {
      const other = people.find((one) => one !== userId) ?? userId;
      return { other_user_id: other, sender_id: other, unread_message_ids };
    });
  const huddles = direct
    .filter(({ people }) => people.length > 2)
    .map(({ people, unread_message_ids }) => ({ user_ids_string: people.join(), unread_message_ids }));
  return { pms: pms.sort(byOldest), huddles: huddles.sort(byOldest) };
}

type WithIds = Pick<UnreadPlace, 'ids'>;
const newestOf = ({ ids }: WithIds): number => ids.at(-1) ?? 0;

function together(places: readonly WithIds[]): readonly MessageId[] {
  const [only, ...others] = places;
  if (only && others.length === 0) return only.ids;
  return ascending(places.flatMap(({ ids }) => ids));
}

/** The conversation with the oldest unread message is the first. */
const byOldest = (a: Presented, b: Presented): number =>
  (a.unread_message_ids[0] ?? 0) - (b.unread_message_ids[0] ?? 0);
interface Presented {
  readonly unread_message_ids: readonly MessageId[];
}

/** A message that may mention the account: by name, by a wildcard, or a group when its text was written. */
interface Mention extends LogPoint {
  readonly id: MessageId;
  readonly isByName: boolean;
  readonly isByWildcard: boolean;
  readonly groups: readonly GroupId[] | null;
}

/** Unread messages that mention the account, ascending; wildcards only count where the conversation is not muted. */
async function mentionsAmong(
  client: ClientBase,
  { realmId, userId }: Reader,
  places: readonly UnreadPlace[],
  loud: readonly UnreadPlace[],
): Promise<MessageId[]> {
  const oldest = Math.min(...places.map(({ ids }) => ids[0] ?? Infinity));
  if (oldest === Infinity) return [];
  const { rows } = await client.query<{ mentions: string | null }>({
    name: 'messages-unread-mentions',
    text: MENTIONS,
    values: [realmId, userId, oldest],
  });
  const mentions = JSON.parse(rows[0]?.mentions ?? '[]') as Mention[];
  if (mentions.length === 0) return [];
  const groups = mentions.flatMap((mention) => mention.groups ?? []);
  const wasIn = await readMembership({ client, realmId }, groups, [userId]);
  const [unread, unmuted] = [idsOf(places), idsOf(loud)];
  const isMentioned = (mention: Mention) =>
    mention.isByName || (mention.groups ?? []).some((group) => wasIn(group, userId, mention));
  return mentions
    .filter(
      (mention) =>
        (unread.has(mention.id) && isMentioned(mention)) || (unmuted.has(mention.id) && mention.isByWildcard),
    )
    .map(({ id }) => id);
}

const idsOf = (places: readonly UnreadPlace[]): ReadonlySet<MessageId> => new Set(places.flatMap(({ ids }) => ids));

const MENTIONS = `SELECT json_agg(json_build_object('id', m.message_id, 'isByName', n.user_id IS NOT NULL,
    'isByWildcard', m.channel_wildcard OR coalesce($2::int8 = ANY(m.topic_participants), false), 'groups', m.mentioned_groups,
    'position', m.content_position, 'at', coalesce(m.edited_at, m.sent_at)) ORDER BY m.message_id)::text AS mentions
  FROM (SELECT n.message_id FROM view.mentions AS n WHERE n.realm_id = $1 AND n.user_id = $2::int8 AND n.message_id >= $3::int8
    UNION SELECT m.message_id FROM view.messages AS m WHERE m.realm_id = $1 AND m.message_id >= $3::int8
      AND (m.mentioned_groups IS NOT NULL OR m.channel_wildcard OR m.topic_participants IS NOT NULL)) AS x
  JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = x.message_id
  LEFT JOIN view.mentions AS n ON n.realm_id = $1 AND n.message_id = m.message_id AND n.user_id = $2::int8`;
