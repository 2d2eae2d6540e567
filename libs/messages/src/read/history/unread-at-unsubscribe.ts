import type { SubscriptionSpan } from '@annals/channels';
import type { ChannelId, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { readReadStates } from '../flags/read-states';
import { readOnArrival } from './messages-read-on-arrival';
import { readSubscriptions } from './timeline/subscriptions';
import { readTimeline } from './timeline/timeline';
import type { UnreadLists } from './unread-before';
import { movedTogether, unreadBefore } from './unread-before';

/** Users who unsubscribed from a channel by the event at a position. */
export interface Unsubscription {
  readonly channelId: ChannelId;
  readonly users: readonly UserId[];
  readonly position: Position;
}

/**
 * Most messages that are stored under the channel, and most deleted ones, that are read. `POST /register` does not list
 * more either.
 */
const MOST = 50_000;

/**
 * Reads what an unsubscription made read (contract/subscriptions.md section 3): what the users had unread of the messages
 * that were in the channel right before. Messages that were deleted later are listed too: the users receive no event about
 * a deletion in a channel that they cannot read.
 */
export async function readUnreadAtUnsubscribe(
  client: ClientBase,
  realmId: RealmId,
  { channelId, users, position }: Unsubscription,
): Promise<UnreadLists> {
  const spansOf = await readSubscriptions(client, realmId, { channels: [channelId], users, since: 0 });
  const first = Math.min(...users.map((user) => subscribedSince(spansOf(channelId, user), position)));
  const candidates = await readCandidates(client, realmId, { channelId, users, position, first });
  const timeline = await readTimeline(client, realmId, candidates, users);
  const before = candidates.filter((id) => timeline.placements.channelAt(id, position - 1) === channelId);
  const reading = {
    states: await readReadStates(client, realmId, before, users),
    readOnArrival: await readOnArrival(client, realmId, before, users),
  };
  return unreadBefore(position, timeline, movedTogether(timeline, before), reading);
}

/** Since when a user was subscribed without leaving, up to a position. */
function subscribedSince(spans: readonly SubscriptionSpan[], position: Position): number {
  const left = spans.findLast(({ to, continuousUntil }) => to !== null && to === continuousUntil && to < position);
  return spans.find(({ from }) => from > (left?.to ?? 0))?.from ?? position;
}

/**
 * Reads messages that may have been in the channel right before the position: those that are stored under it, those of
 * topics that are or were there, those that have moved by themselves since, those that were deleted from it since, and those
 * that any of the users marked as unread.
 *
 * @param asked.first messages that were sent to the channel before are left out
 */
async function readCandidates(
  client: ClientBase,
  realmId: RealmId,
  asked: Unsubscription & { readonly first: number },
): Promise<MessageId[]> {
  const { channelId, users, position, first } = asked;
  const { rows } = await client.query<{ ids: string | null }>({
    name: 'messages-candidates-at-unsubscribe',
    // One large value: so many rows would take longer to read.
    text: `SELECT json_agg(message_id)::text AS ids FROM (
        (SELECT message_id FROM view.messages
          WHERE realm_id = $1 AND channel_id = $2 AND message_id > $3 AND message_id < $4
          ORDER BY message_id DESC LIMIT ${MOST})
        UNION SELECT message_id FROM view.messages
          WHERE realm_id = $1 AND channel_id = $2 AND arrived <> message_id AND message_id < $4
        UNION SELECT m.message_id FROM view.topics AS t
          JOIN view.messages AS m ON m.realm_id = $1 AND m.topic_id = t.topic_id AND m.message_id < $4
          WHERE t.realm_id = $1 AND t.channel_id = $2 AND t.filed_elsewhere
        UNION SELECT m.message_id FROM view.topic_stays AS s
          JOIN view.messages AS m ON m.realm_id = $1 AND m.topic_id = s.topic_id AND m.message_id < $4
          WHERE s.realm_id = $1 AND s.channel_id = $2 AND s.until > $4
        UNION SELECT message_id FROM view.message_moves WHERE realm_id = $1 AND position > $4 AND message_id < $4
        UNION SELECT message_id FROM view.personal_flags
          WHERE realm_id = $1 AND user_id = ANY($5::int4[]) AND unread_since IS NOT NULL AND message_id < $4
        UNION (SELECT message_id FROM view.deleted_messages
          WHERE realm_id = $1 AND channel_id = $2 AND position > $4 AND message_id < $4
          ORDER BY message_id DESC LIMIT ${MOST})) AS candidates`,
    values: [realmId, channelId, first, position, users],
  });
  return JSON.parse(rows[0]?.ids ?? '[]') as MessageId[];
}
