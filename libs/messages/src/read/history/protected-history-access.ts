import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { covers } from '@annals/kernel/domain';
import { sentData } from '../../domain/message/stored-data';
import { readSubscriptions } from './timeline/subscriptions';

/** Messages of a channel, deleted ones included. */
export interface MaybeDeleted {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId | null;
  /**
   * The positions at which they arrived in the channel, in the order of the ids. Left out if history is not protected.
   */
  readonly arrived?: readonly Position[];
}

/**
 * Whether a message had arrived for a user in its channel: the user was subscribed when it arrived, or sent it or was
 * mentioned, and it was not moved there from another channel. The rule of `isVisible`, for deleted messages too.
 */
export type ProtectedHistoryAccess = (
  user: UserId,
  message: { readonly id: MessageId; readonly channelId: ChannelId; readonly arrived: Position },
) => boolean;

/** Reads for which of some users messages with protected history had arrived. Other messages cost nothing. */
export async function readProtectedHistoryAccess(
  reader: FeedReader,
  messages: readonly MaybeDeleted[],
  users: readonly UserId[],
): Promise<ProtectedHistoryAccess> {
  const asked = messages.filter(({ arrived }) => arrived !== undefined);
  if (asked.length === 0) return () => true;
  const people = await readSendersAndMentioned(
    reader,
    asked.flatMap(({ messageIds }) => messageIds),
  );
  const channels = asked.flatMap(({ channelId }) => channelId ?? []);
  const spansOf = await readSubscriptions(reader.client, reader.realmId, { channels, users, since: 0 });
  return (user, { id, channelId, arrived }) =>
    covers(spansOf(channelId, user), arrived) || (arrived === (id as number) && (people.get(id)?.has(user) ?? false));
}

/** Reads from the log the senders of messages and the users whom they mentioned by name when they were sent. */
export async function readSendersAndMentioned(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
): Promise<Map<MessageId, ReadonlySet<UserId>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-senders-and-mentioned',
    text: `SELECT position AS id, data::text AS data FROM events WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(
    rows.map(({ id, data }) => {
      const { senderId, mentions } = sentData(data);
      return [id, new Set([senderId, ...mentions.userIds])];
    }),
  );
}
