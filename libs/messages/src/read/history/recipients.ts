import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { readGone } from './places';
import { outsidersOf } from '../reactions/reactions';
import type { SpanStarts } from './subscription-starts';
import { decisive, readSpanStarts } from './subscription-starts';

/** Who has copies of some messages beside who is subscribed; not all of them can read these still. */
export interface Copies {
  /** Who sent them, whom they called by name, and who had reacted to one without being subscribed; ascending. */
  readonly concerned: readonly UserId[];
  /**
   * By the channels that the messages were sent to, messages such that who was subscribed at one of these has received
   * any of all; ascending.
   */
  readonly sentTo: ReadonlyMap<ChannelId, readonly MessageId[]>;
}

/** What happened to messages, and the channel where they were right before. */
interface Happened {
  /** Ascending. */
  readonly messageIds: readonly MessageId[];
  readonly channelId: ChannelId;
  readonly position: Position;
}

/** What messages of one sender that were sent to one channel have in common. */
interface Sent {
  readonly senderId: UserId;
  readonly channel: ChannelId | null;
}

/** Some messages as they were sent, whatever happened to them since. */
interface SentMessages {
  readonly of: ReadonlyMap<MessageId, Sent>;
  /** Whom they called by name. */
  readonly called: ReadonlyMap<MessageId, readonly UserId[]>;
}

/**
 * Reads who had copies of messages of channels when something happened to them; the messages may be gone since.
 *
 * @returns in the order in which it was asked. However much it is, each message is read once: a large topic may have been
 *   moved a hundred times in a row
 */
export async function readCopies(reader: FeedReader, happened: readonly Happened[]): Promise<Copies[]> {
  const lists = [...new Set(happened.map(({ messageIds }) => messageIds))];
  const ids = lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())];
  if (ids.length === 0) return happened.map(() => ({ concerned: [], sentTo: new Map() }));
  const sent = await readSent(reader, ids);
  const channels = new Set([...sent.of.values()].flatMap(({ channel }) => channel ?? []));
  const starts = await readSpanStarts(reader, ids.length > 1 ? [...channels] : []);
  const byList = new Map(lists.map((list) => [list, copiesOf(list, sent, starts)]));
  const outsiders = await outsidersOf(reader, ids, happened);
  return happened.map(({ messageIds }, n) => {
    const { concerned = [], sentTo = new Map() } = byList.get(messageIds) ?? {};
    const more = outsiders[n] ?? [];
    return { concerned: more.length === 0 ? concerned : ascending([...concerned, ...more]), sentTo };
  });
}

function copiesOf(ids: readonly MessageId[], { of, called }: SentMessages, starts: SpanStarts): Copies {
  const senders = ids.flatMap((id) => of.get(id)?.senderId ?? []);
  const named = called.size === 0 ? [] : ids.flatMap((id) => called.get(id) ?? []);
  const byChannel = [...grouped(ids, (id) => of.get(id)?.channel ?? null)].flatMap(([channel, those]) =>
    channel === null ? [] : [[channel, decisive(ascending(those), starts.get(channel) ?? [])] as const],
  );
  return {
    concerned: ascending([...senders, ...named]),
    sentTo: new Map(byChannel.sort(([a], [b]) => a - b)),
  };
}

const ascending = <Id extends number>(ids: readonly Id[]): Id[] => [...new Set(ids)].sort((a, b) => a - b);

/** Who sent messages where and called whom, as the log has it where they are gone. */
async function readSent({ client, realmId }: FeedReader, ids: readonly MessageId[]): Promise<SentMessages> {
  const { rows } = await client.query<{ sent: string | null; called: string | null }>({
    name: 'messages-sent',
    // One statement, for messages may go meanwhile. Few large values: so many rows would take longer to read.
    text: `SELECT
      (SELECT json_agg(json_build_array(sender_id, sent_channel_id, ids)) FROM (
        SELECT sender_id, sent_channel_id, json_agg(message_id) AS ids FROM view.messages
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]) GROUP BY sender_id, sent_channel_id) AS m)::text AS sent,
      (SELECT json_agg(json_build_array(message_id, user_id)) FROM view.called
        WHERE realm_id = $1 AND message_id = ANY($2::int8[]))::text AS called`,
    values: [realmId, ids],
  });
  const found = JSON.parse(rows[0]?.sent ?? '[]') as [UserId, ChannelId | null, MessageId[]][];
  const calls = JSON.parse(rows[0]?.called ?? '[]') as [MessageId, UserId][];
  const of = new Map<MessageId, Sent>();
  for (const [senderId, channel, those] of found) {
    const sent = { senderId, channel };
    for (const id of those) of.set(id, sent);
  }
  const called = grouped(
    calls,
    ([id]) => id,
    ([, user]) => user,
  );
  const missing = ids.filter((id) => !of.has(id));
  for (const [id, gone] of await readGone(client, realmId, missing)) {
    of.set(id, { senderId: gone.senderId, channel: gone.sentTo });
    called.set(id, [...gone.called]);
  }
  return { of, called };
}
