import type { PositionedClientEvent, QueueProfile } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { MessageId, Position, UserId } from '@annals/kernel/domain';
import type { TopicHistory } from '../read/history/topic-history';
import { readTopicHistory } from '../read/history/topic-history';
import { shownTopic } from '../read/content/present-message';
import type { ProtectedHistoryAccess } from '../read/history/protected-history-access';
import { readProtectedHistoryAccess } from '../read/history/protected-history-access';
import { erasedTopic } from '../read/placement/places.view';
import type { DeletedPayload } from './deletions.feed';

interface Loaded {
  readonly topics: TopicHistory;
  readonly hadAccess: ProtectedHistoryAccess;
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as DeletedPayload;

/** contract/messages.md section 6.3, realtime.md section 6.1; clients without support for lists receive one event for each message */
export const deletionsPresenter = definePresenter<Loaded>({
  type: 'delete_message',
  load: async (reader, events, listeners) => ({
    topics: await readTopicHistory(
      reader.client,
      reader.realmId,
      events.flatMap((event) => payloadOf(event).topicId ?? []),
    ),
    hadAccess: await readProtectedHistoryAccess(reader, events.map(payloadOf), listeners),
  }),
  present: (event, loaded, queue) => {
    const ids = idsFor(event, loaded, queue.userId);
    if (ids.length === 0) return [];
    const common = { type: 'delete_message', ...placeOf(event, loaded, queue) };
    if (queue.capabilities.bulk_message_deletion) return [{ ...common, message_ids: ids }];
    return ids.map((message_id) => ({ ...common, message_id }));
  },
  variant: (event, loaded, queue) => {
    const { bulk_message_deletion: bulk, empty_topic_name: empty } = queue.capabilities;
    const ids = payloadOf(event).arrived ? idsFor(event, loaded, queue.userId).join() : 'all';
    return [bulk, empty, ids].join(' ');
  },
});

/** In a channel with protected history users receive only deletions of messages that they had access to. */
function idsFor(event: PositionedClientEvent, { hadAccess }: Loaded, user: UserId): readonly MessageId[] {
  const { messageIds, channelId, arrived } = payloadOf(event);
  if (!arrived || channelId === null) return messageIds;
  return messageIds.filter((id, n) => hadAccess(user, { id, channelId, arrived: arrived[n] as Position }));
}

function placeOf(event: PositionedClientEvent, { topics }: Loaded, { capabilities }: QueueProfile) {
  const { channelId, topicId, at } = payloadOf(event);
  if (topicId === null) return { message_type: 'private' };
  const name = topics(topicId, at)?.topic ?? erasedTopic(topicId);
  return { message_type: 'stream', stream_id: channelId, topic: shownTopic(name, capabilities.empty_topic_name) };
}
