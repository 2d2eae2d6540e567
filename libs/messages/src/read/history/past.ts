import type { Reader } from '@annals/channels';
import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { Journey } from './channel-timelines';
import { extentOf, readJourneys } from './channel-timelines';
import { readConcerned } from './protected-history-access';
import type { Span } from '../visibility/visibility';
import type { Access, Stretch, Visit } from './visits';
import { accessOf, overlap, visitsOf } from './visits';

/** A stretch of a message's life: what one change found, and what it left until the next one. */
export interface ChangeExtent {
  /** From when on the message was as the change found it. */
  readonly since: Position;
  /** Of the change. */
  readonly position: Position;
  /** Of the next change; null where none followed. */
  readonly until: Position | null;
}

/** What somebody may see of the past of messages that they can see now. */
export interface Past {
  /** From when on they could read the message; null where they never could. */
  since(message: MessageId): Position | null;
  /** Whether they could read the message as it was before a change, and as the change left it. */
  tells(message: MessageId, change: ChangeExtent): boolean;
}

/** A visible message with what decides whether it has a past that its reader may not see. */
interface Seen {
  readonly id: MessageId;
  readonly wasMoved: boolean;
  readonly isHistoryProtected: boolean;
}

/** Where a message never left a channel that shares its history, all of its past is open: nothing is read for it. */
export const mayHideItsPast = ({ wasMoved, isHistoryProtected }: Seen): boolean => wasMoved || isHistoryProtected;

/**
 * Reads when somebody could read messages that have been in several channels, or are in one with protected history. What
 * was said of a message when they could not, its texts and names of topics and channels, stays unknown to them wherever
 * it goes later, and whatever they join later (decision 39).
 *
 * @param messages that the reader can see now
 */
export async function readPast(feed: FeedReader, by: Reader, messages: readonly Seen[]): Promise<Past> {
  const asked = new Map(messages.filter(mayHideItsPast).map((one) => [one.id, one]));
  const all = await readJourneys(feed.client, feed.realmId, [...asked.keys()]);
  const journeys = new Map([...all].filter(([id, { later }]) => later.length > 0 || asked.get(id)?.isHistoryProtected));
  const visits = await readVisits(feed, by, journeys);
  const couldRead = (id: MessageId, at: number, state: Stretch) => {
    const there = visits.get(id);
    if (!there) return true;
    const visit = there.findLast(({ from }) => from <= at);
    return visit?.readable.some((one) => overlap(one, state)) ?? false;
  };
  return {
    since: (id) => {
      const there = visits.get(id);
      if (!there) return id as number as Position;
      const first = Math.min(...there.flatMap(({ readable }) => readable.map(({ from }) => from)));
      return first === Infinity ? null : (first as Position);
    },
    tells: (id, { since, position, until }) =>
      couldRead(id, position - 1, { from: since, to: position }) &&
      couldRead(id, position, { from: position, to: until ?? Infinity }),
  };
}

/** What channels were like, and who was in them, is read and worked out once for all messages. */
async function readVisits(feed: FeedReader, by: Reader, journeys: ReadonlyMap<MessageId, Journey>) {
  const { sentTo, broughtTo, first } = extentOf(journeys);
  const channels = [...new Set([...sentTo, ...broughtTo])];
  const history = await readChannelsAt(feed, channels, first as Position);
  const spansIn = await readSpans(feed, by, channels);
  const concerned = await readConcerned(feed, [...journeys.keys()]);
  const accesses = new Map(channels.map((id) => [id, accessOf(history.phases(id), spansIn(id), by)]));
  const accessTo = (channel: ChannelId) => accesses.get(channel) ?? NEVER;
  return new Map(
    [...journeys].map(([id, journey]): [MessageId, Visit[]] => {
      return [id, visitsOf(id, journey, accessTo, concerned.get(id)?.has(by.userId) ?? false)];
    }),
  );
}

const NEVER: Access = { all: [], received: [], spans: [] };

async function readSpans({ client, realmId }: FeedReader, { userId }: Reader, channels: readonly ChannelId[]) {
  if (channels.length === 0) return () => [];
  const { rows } = await client.query<Span & { channel: ChannelId }>({
    name: 'messages-spans-of-past',
    text: `SELECT channel_id AS channel, from_position AS from, to_position AS to FROM view.memberships
      WHERE realm_id = $1 AND user_id = $2 AND channel_id = ANY($3::int8[])`,
    values: [realmId, userId, channels],
  });
  const spans = grouped(rows, ({ channel }) => channel);
  return (channel: ChannelId): readonly Span[] => spans.get(channel) ?? [];
}
