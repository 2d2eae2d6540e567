import type { MessageId, TopicId } from '@annals/kernel/domain';
import { messageAggregate } from '../../domain/message/message';
import type { PastMessage } from './past-messages';
import { readPastRealm } from './past-realm';
import type { PastReading } from './past-reading';
import type { PastTest } from './narrow/past-tests';

/**
 * Where the organization hides today what messages said before they were edited, an earlier text is not shown as the past
 * either; and where it hides moves, an earlier place is not.
 */
export const isShownByPolicy: PastTest = async (reading, messages) => {
  const { policyToday } = await readPastRealm(reading);
  if (policyToday === 'all') return () => true;
  const edited = await readEditedSince(reading, messages);
  if (policyToday === 'moves') return ({ id }) => !edited.has(id);
  await reading.knowTopics(messages.flatMap(({ topicId }) => topicId ?? []));
  return ({ id, topicId, lastTopicId }) => !edited.has(id) && topicId === lastTopicId && isWhereItWas(reading, topicId);
};

/** Whether a known topic has the name and the channel today that it had then. */
function isWhereItWas(reading: PastReading, id: TopicId | null): boolean {
  if (id === null) return true;
  const [then, today] = [reading.topic(id), reading.topicToday(id)];
  return then !== undefined && then.channelId === today?.channelId && then.topic === today.topic;
}

async function readEditedSince(
  { reader: { client, realmId }, position }: PastReading,
  messages: readonly PastMessage[],
): Promise<ReadonlySet<MessageId>> {
  const ids = messages.map(({ id }) => id);
  const { rows } = await client.query<{ id: MessageId }>({
    name: 'messages-past-edited-since',
    text: `SELECT s.id FROM unnest($2::int8[], $3::text[]) AS s(id, stream) WHERE EXISTS (SELECT FROM events AS e
      WHERE e.realm_id = $1 AND e.stream = s.stream AND e.position > $4)`,
    values: [realmId, ids, ids.map((id) => messageAggregate.stream(id)), position],
  });
  return new Set(rows.map(({ id }) => id));
}
