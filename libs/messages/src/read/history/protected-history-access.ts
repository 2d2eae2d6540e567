import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { MessageSent } from '../../domain/events';
import type { Span } from '../visibility/visibility';

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
  const spans = await readSpans(
    reader,
    asked.flatMap(({ channelId }) => channelId ?? []),
    users,
  );
  return (user, { id, channelId, arrived }) =>
    (spans.get(spanKey(channelId, user)) ?? []).some(
      ({ from, to }) => from <= arrived && (to === null || arrived < to),
    ) ||
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

async function readSpans({ client, realmId }: FeedReader, channels: readonly ChannelId[], users: readonly UserId[]) {
  const { rows } = await client.query<Span & { channel: ChannelId; user: UserId }>({
    name: 'messages-reached-spans',
    text: `SELECT channel_id AS channel, user_id AS user, from_position AS from, to_position AS to FROM view.memberships
      WHERE realm_id = $1 AND channel_id = ANY($2::int8[]) AND user_id = ANY($3::int8[])`,
    values: [realmId, channels, users],
  });
  return grouped(rows, ({ channel, user }) => spanKey(channel, user));
}

const spanKey = (channel: ChannelId, user: UserId): string => `${channel} ${user}`;
