import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';

/** Who has copies of some messages beside who is subscribed; not all of them can read these still. */
export interface Copies {
  /** Who sent them, whom they called by name, and who had reacted to one without being subscribed. */
  readonly concerned: readonly UserId[];
  /** The messages, ascending, by the channels they were sent to: who was subscribed then has received them. */
  readonly sentTo: ReadonlyMap<ChannelId, readonly MessageId[]>;
}

/** What happened to messages, and the channel where they were right before. */
interface Happened {
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
  readonly position: Position;
}

/**
 * Reads who had copies of messages of channels when something happened to them; the messages may be gone since.
 *
 * @returns in the order in which it was asked, however much it is by two queries
 */
export async function readCopies(reader: FeedReader, happened: readonly Happened[]): Promise<Copies[]> {
  const numbers = happened.flatMap(({ messageIds }, n) => messageIds.map(() => n + 1));
  const ids = happened.flatMap(({ messageIds }) => messageIds);
  if (ids.length === 0) return happened.map(() => ({ concerned: [], sentTo: new Map() }));
  const concerned = await readConcerned(reader, numbers, ids, happened);
  const sentTo = await readSentTo(reader, numbers, ids);
  return happened.map((_, n) => ({ concerned: concerned.get(n + 1) ?? [], sentTo: sentTo.get(n + 1) ?? new Map() }));
}

/** Messages by the number of what happened to them, from 1. */
const ASKED = 'unnest($2::int4[], $3::int8[]) AS u(n, id)';

/**
 * Who sent the messages or was called by name, as the log has it where messages are gone, and who had reacted by then
 * without being subscribed.
 */
async function readConcerned(
  { client, realmId }: FeedReader,
  numbers: readonly number[],
  ids: readonly MessageId[],
  happened: readonly Happened[],
): Promise<Map<number, UserId[]>> {
  const { rows } = await client.query<{ n: number; user: UserId }>({
    name: 'messages-copies-concerned',
    text: `WITH asked AS (SELECT u.n, u.id, ($4::int8[])[u.n] AS at, ($5::int4[])[u.n] AS channel_id, m.sender_id FROM ${ASKED}
        LEFT JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = u.id),
      gone AS (SELECT asked.n, e.data FROM asked JOIN events AS e ON e.realm_id = $1 AND e.position = asked.id
        WHERE asked.sender_id IS NULL)
      SELECT n, sender_id::int8 AS user FROM asked WHERE sender_id IS NOT NULL
      UNION SELECT a.n, c.user_id::int8 FROM asked AS a
        JOIN view.called AS c ON c.realm_id = $1 AND c.message_id = a.id
      UNION SELECT a.n, w.user_id::int8 FROM asked AS a
        JOIN view.reactions AS w ON w.realm_id = $1 AND w.message_id = a.id AND w.added_position < a.at
        WHERE NOT EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.channel_id = a.channel_id
          AND s.user_id = w.user_id AND s.from_position <= a.at AND (s.to_position IS NULL OR a.at < s.to_position))
      UNION SELECT n, (data->>'senderId')::int8 FROM gone
      UNION SELECT n, (json_array_elements_text(data->'mentions'->'userIds'))::int8 FROM gone
      ORDER BY 1, 2`,
    values: [
      realmId,
      numbers,
      ids,
      happened.map(({ position }) => position),
      happened.map(({ channelId }) => channelId),
    ],
  });
  return grouped(
    rows,
    ({ n }) => n,
    ({ user }) => user,
  );
}

async function readSentTo(
  { client, realmId }: FeedReader,
  numbers: readonly number[],
  ids: readonly MessageId[],
): Promise<Map<number, Map<ChannelId, MessageId[]>>> {
  const { rows } = await client.query<{ n: number; channel: ChannelId; ids: (string | number)[] }>({
    name: 'messages-copies-sent-to',
    text: `SELECT n, channel, array_agg(id ORDER BY id) AS ids FROM (
        SELECT u.n, u.id, coalesce(m.sent_channel_id, (SELECT (e.data->'place'->>'channelId')::int4 FROM events AS e
            WHERE e.realm_id = $1 AND e.position = u.id)) AS channel
          FROM ${ASKED} LEFT JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = u.id) AS sent
      GROUP BY n, channel ORDER BY n, channel`,
    values: [realmId, numbers, ids],
  });
  const sentTo = new Map<number, Map<ChannelId, MessageId[]>>();
  for (const { n, channel, ids: sent } of rows) {
    const known = sentTo.get(n) ?? new Map<ChannelId, MessageId[]>();
    sentTo.set(n, known.set(channel, sent.map(Number) as MessageId[]));
  }
  return sentTo;
}
