import { readChannelsAt } from '@annals/channels';
import type { ChannelId, TopicId } from '@annals/kernel/domain';
import { topicKey } from '../../../domain/topic';
import type { PastReading } from '../past-reading';

const keyOf = (name: string): string => name.trim().toLowerCase();

/** The channel that had a name at the moment, in any letter case. */
export async function channelNamed(reading: PastReading, name: string): Promise<ChannelId | undefined> {
  const { client, realmId } = reading.reader;
  const { rows } = await client.query<{ id: ChannelId }>({
    name: 'messages-past-channel-named',
    text: 'SELECT channel_id AS id FROM view.channels WHERE realm_id = $1 AND name_key = $2',
    values: [realmId, keyOf(name)],
  });
  const ids = rows.map(({ id }) => id);
  await reading.know(ids);
  const had = ids.find((id) => keyOf(reading.channel(id).then?.name ?? '') === keyOf(name));
  if (had !== undefined) return had;
  // It has another name today. Channels that have not changed since the moment cost nothing here.
  const all = await readChannelsAt(reading.reader, null, reading.position);
  return all.ids.find((id) => keyOf(all.at(id, reading.position)?.name ?? '') === keyOf(name));
}

interface MaybeNamed {
  readonly id: TopicId;
  /** The topic has not changed since the moment, and has the name. */
  readonly isNamed: boolean;
}

/** The topics of a channel that had a name at the moment. @param key the name without letter case */
export async function topicsNamed(reading: PastReading, channel: ChannelId, key: string): Promise<TopicId[]> {
  const { client, realmId } = reading.reader;
  const { rows } = await client.query<MaybeNamed>({
    name: 'messages-past-topics-named',
    text: `SELECT topic_id AS id, last_position <= $4 AS "isNamed" FROM view.topics
        WHERE realm_id = $1 AND channel_id = $2 AND (name_key = $3 OR last_position > $4)
      UNION SELECT topic_id, false FROM view.topic_stays WHERE realm_id = $1 AND channel_id = $2 AND until > $4`,
    values: [realmId, channel, key, reading.position],
  });
  const changed = rows.flatMap(({ id, isNamed }) => (isNamed ? [] : [id]));
  await reading.knowTopics(changed);
  const had = (id: TopicId) => {
    const topic = reading.topic(id);
    return topic?.channelId === channel && topicKey(topic.topic) === key;
  };
  return [...new Set(rows.flatMap(({ id, isNamed }) => (isNamed || had(id) ? [id] : [])))];
}

/** The topics that were in a channel at the moment, with the names that they had. */
export async function readTopicsThen(reading: PastReading, channel: ChannelId): Promise<ReadonlyMap<TopicId, string>> {
  const { client, realmId } = reading.reader;
  const { rows } = await client.query<{ id: TopicId; name: string | null }>({
    name: 'messages-past-topics',
    text: `SELECT topic_id AS id, CASE WHEN last_position <= $3 THEN name END AS name FROM view.topics
        WHERE realm_id = $1 AND channel_id = $2
      UNION SELECT topic_id, NULL FROM view.topic_stays WHERE realm_id = $1 AND channel_id = $2 AND until > $3`,
    values: [realmId, channel, reading.position],
  });
  await reading.knowTopics(rows.flatMap(({ id, name }) => (name === null ? [id] : [])));
  const named = new Map<TopicId, string>();
  for (const { id, name } of rows) {
    const had = reading.topic(id);
    if (name !== null) named.set(id, name);
    else if (had?.channelId === channel) named.set(id, had.topic);
  }
  return named;
}

/** The channels of an account that had protected history at the moment. Messages that were moved there count as received. */
export async function readProtectedChannels(reading: PastReading): Promise<ChannelId[]> {
  const { client, realmId } = reading.reader;
  const { rows } = await client.query<{ id: ChannelId }>({
    name: 'messages-past-own-channels',
    text: `SELECT DISTINCT channel_id AS id FROM view.memberships
      WHERE realm_id = $1 AND user_id = $2 AND from_position <= $3`,
    values: [realmId, reading.userId, reading.position],
  });
  const ids = rows.map(({ id }) => id);
  await reading.know(ids);
  return ids.filter((id) => reading.isProtected(id));
}
