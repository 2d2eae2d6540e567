import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { ascending, grouped } from '@annals/kernel/domain';
import { readDeletedPlaces } from './places';
import { readReactingNonSubscribersBefore } from '../reactions/reactions';
import type { SubscriptionStarts } from './subscription-starts';
import { boundaryPositions, readSubscriptionStarts } from './subscription-starts';

/**
 * Users who have copies of some messages, beside the present subscribers. Not all of them can still read the messages.
 */
export interface Recipients {
  /** Senders, users who were mentioned by name, and users who had reacted without being subscribed. Ascending. */
  readonly users: readonly UserId[];
  /**
   * By the channels that the messages were sent to, the positions that decide which users received any of them: those
   * subscribed at one of these. Ascending.
   */
  readonly sentTo: ReadonlyMap<ChannelId, readonly MessageId[]>;
}

/** Messages that were changed at a position, and the channel where they were right before. */
interface ChangedMessages {
  /** Ascending. */
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
  readonly position: Position;
}

/** Sender and channel of messages. */
interface Sent {
  readonly senderId: UserId;
  readonly channel: ChannelId | null;
}

/** Some messages as they were sent. */
interface SentMessages {
  readonly of: ReadonlyMap<MessageId, Sent>;
  /** Users who were mentioned by name. */
  readonly mentioned: ReadonlyMap<MessageId, readonly UserId[]>;
}

/**
 * Reads the users who had copies of channel messages when these were changed, also of messages that were deleted since.
 * Each message is read once, however many changes there are: a large topic may have moved a hundred times in a row.
 *
 * @returns in the order of the changes
 */
export async function readHistoricRecipients(
  reader: FeedReader,
  changes: readonly ChangedMessages[],
): Promise<Recipients[]> {
  const lists = [...new Set(changes.map(({ messageIds }) => messageIds))];
  const ids = lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())];
  if (ids.length === 0) return changes.map(() => ({ users: [], sentTo: new Map() }));
  const sent = await readSent(reader, ids);
  const channels = new Set([...sent.of.values()].flatMap(({ channel }) => channel ?? []));
  const starts = await readSubscriptionStarts(reader, ids.length > 1 ? [...channels] : []);
  const byList = new Map(lists.map((list) => [list, recipientsOf(list, sent, starts)]));
  const nonSubscribers = await readReactingNonSubscribersBefore(reader, ids, changes);
  return changes.map(({ messageIds }, n) => {
    const { users = [], sentTo = new Map() } = byList.get(messageIds) ?? {};
    const reacting = nonSubscribers[n] ?? [];
    return { users: reacting.length === 0 ? users : ascending(new Set([...users, ...reacting])), sentTo };
  });
}

function recipientsOf(
  ids: readonly MessageId[],
  { of, mentioned }: SentMessages,
  starts: SubscriptionStarts,
): Recipients {
  const senders = ids.flatMap((id) => of.get(id)?.senderId ?? []);
  const named = mentioned.size === 0 ? [] : ids.flatMap((id) => mentioned.get(id) ?? []);
  const byChannel = [...grouped(ids, (id) => of.get(id)?.channel ?? null)].flatMap(([channel, those]) =>
    channel === null
      ? []
      : [[channel, boundaryPositions(ascending(new Set(those)), starts.get(channel) ?? [])] as const],
  );
  return {
    users: ascending(new Set([...senders, ...named])),
    sentTo: new Map(byChannel.sort(([a], [b]) => a - b)),
  };
}

/** Reads messages as they were sent, deleted ones from the log. */
async function readSent({ client, realmId }: FeedReader, ids: readonly MessageId[]): Promise<SentMessages> {
  const { rows } = await client.query<{ sent: string | null; mentioned: string | null }>({
    name: 'messages-sent',
    // One statement, as messages may be deleted meanwhile. Few large values: so many rows would take longer to read.
    text: `SELECT
      (SELECT json_agg(json_build_array(sender_id, sent_channel_id, ids)) FROM (
        SELECT sender_id, sent_channel_id, json_agg(message_id) AS ids FROM view.messages
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]) GROUP BY sender_id, sent_channel_id) AS m)::text AS sent,
      (SELECT json_agg(json_build_array(message_id, user_id)) FROM view.mentioned_when_sent
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]))::text AS mentioned`,
    values: [realmId, ids],
  });
  const found = JSON.parse(rows[0]?.sent ?? '[]') as [UserId, ChannelId | null, MessageId[]][];
  const mentions = JSON.parse(rows[0]?.mentioned ?? '[]') as [MessageId, UserId][];
  const of = new Map<MessageId, Sent>();
  for (const [senderId, channel, those] of found) {
    const sent = { senderId, channel };
    for (const id of those) of.set(id, sent);
  }
  const mentioned = grouped(
    mentions,
    ([id]) => id,
    ([, user]) => user,
  );
  const missing = ids.filter((id) => !of.has(id));
  for (const [id, deleted] of await readDeletedPlaces(client, realmId, missing)) {
    of.set(id, { senderId: deleted.senderId, channel: deleted.sentTo });
    mentioned.set(id, [...deleted.mentioned]);
  }
  return { of, mentioned };
}
