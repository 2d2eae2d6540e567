import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';

/** Who has copies of some messages beside who is subscribed; not all of them can read these still. */
export interface Copies {
  /** Who sent them, whom they called by name, and who had reacted to one without being subscribed. */
  readonly concerned: readonly UserId[];
  /** The messages, ascending, by the channels they were sent to: who was subscribed then has received them. */
  readonly sentTo: ReadonlyMap<ChannelId, readonly MessageId[]>;
}

/** What happened to messages, and the channel where they were right before. */
interface Happening {
  readonly channelId: ChannelId;
  readonly position: Position;
}

/** Reads who had copies of messages of a channel when something happened to them; the messages may be gone since. */
export async function readCopies(reader: FeedReader, ids: readonly MessageId[], happened: Happening): Promise<Copies> {
  return { concerned: await readConcerned(reader, ids, happened), sentTo: await readSentTo(reader, ids) };
}

/**
 * Who sent these messages or was called by name, as the log has it where messages are gone.
 *
 * @param happened adds who had reacted by then; null for none of them
 */
export async function readConcerned(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
  happened: Happening | null,
): Promise<UserId[]> {
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ user: UserId }>({
    name: 'messages-copies-concerned',
    text: `WITH asked AS (SELECT id, m.sender_id FROM unnest($2::int8[]) AS u(id)
        LEFT JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = u.id),
      gone AS (SELECT e.data FROM asked JOIN events AS e ON e.realm_id = $1 AND e.position = asked.id
        WHERE asked.sender_id IS NULL)
      SELECT sender_id::int8 AS user FROM asked WHERE sender_id IS NOT NULL
      UNION SELECT user_id::int8 FROM view.called WHERE realm_id = $1 AND message_id = ANY($2::int8[])
      UNION SELECT w.user_id::int8 FROM view.reactions AS w
        WHERE w.realm_id = $1 AND w.message_id = ANY($2::int8[]) AND w.added_position < $3::int8
          AND NOT EXISTS (SELECT FROM view.memberships AS s WHERE s.realm_id = $1 AND s.channel_id = $4::int4
            AND s.user_id = w.user_id AND s.from_position <= $3::int8
            AND (s.to_position IS NULL OR $3::int8 < s.to_position))
      UNION SELECT (data->>'senderId')::int8 FROM gone
      UNION SELECT (json_array_elements_text(data->'mentions'->'userIds'))::int8 FROM gone
      ORDER BY 1`,
    values: [realmId, ids, happened?.position ?? null, happened?.channelId ?? null],
  });
  return rows.map(({ user }) => user);
}

async function readSentTo(
  { client, realmId }: FeedReader,
  ids: readonly MessageId[],
): Promise<Map<ChannelId, MessageId[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ channel: ChannelId; ids: (string | number)[] }>({
    name: 'messages-copies-sent-to',
    text: `SELECT channel, array_agg(id ORDER BY id) AS ids FROM (
        SELECT u.id, coalesce(m.sent_channel_id, (SELECT (e.data->'place'->>'channelId')::int4 FROM events AS e
            WHERE e.realm_id = $1 AND e.position = u.id)) AS channel
          FROM unnest($2::int8[]) AS u(id)
          LEFT JOIN view.messages AS m ON m.realm_id = $1 AND m.message_id = u.id) AS sent
      GROUP BY channel ORDER BY channel`,
    values: [realmId, ids],
  });
  return new Map(rows.map(({ channel, ids: sent }) => [channel, sent.map(Number) as MessageId[]]));
}
