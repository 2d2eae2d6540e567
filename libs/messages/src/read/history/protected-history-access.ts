import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import type { MessageSent } from '../../domain/events';
import { covers } from '../visibility/spans';
import { readSubscriptions } from './timeline/subscriptions';

/** Messages of a channel with protected history, whether or not they are still there. */
export interface Gone {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId | null;
  /** Left out where history is not protected. */
  readonly arrived?: readonly Position[];
}

/**
 * Whether a message had come to somebody in its channel: they were subscribed as it arrived, or it concerned them and
 * was not brought there from elsewhere. The same rule as for messages that are there (`isVisible`).
 */
export type Reached = (
  user: UserId,
  message: { readonly id: MessageId; readonly channelId: ChannelId; readonly arrived: Position },
) => boolean;

/** Reads what tells which of some people such messages had reached; messages elsewhere cost nothing. */
export async function readReached(
  reader: FeedReader,
  messages: readonly Gone[],
  users: readonly UserId[],
): Promise<Reached> {
  const asked = messages.filter(({ arrived }) => arrived !== undefined);
  if (asked.length === 0) return () => true;
  const concerned = await readConcerned(
    reader,
    asked.flatMap(({ messageIds }) => messageIds),
  );
  const channels = asked.flatMap(({ channelId }) => channelId ?? []);
  const spansOf = await readSubscriptions(reader.client, reader.realmId, { channels, users, since: 0 });
  return (user, { id, channelId, arrived }) =>
    covers(spansOf(channelId, user), arrived) ||
    (arrived === (id as number) && (concerned.get(id)?.has(user) ?? false));
}

/** Who sent each of these messages and whom it called by name then, as the log has it. */
export async function readConcerned(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
): Promise<Map<MessageId, ReadonlySet<UserId>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: MessageId; data: string }>({
    name: 'messages-concerned',
    text: `SELECT position AS id, data::text AS data FROM events WHERE realm_id = $1 AND position = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(
    rows.map(({ id, data }) => {
      const { senderId, mentions } = JSON.parse(data) as MessageSent['data'];
      return [id, new Set([senderId, ...mentions.userIds])];
    }),
  );
}
