import type { Reader } from '@annals/channels';
import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';
import { readConcerned } from './protected-history-access';
import type { ChannelTimeline } from './timeline/placements';
import type { Timeline } from './timeline/timeline';
import { readTimeline } from './timeline/timeline';
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
  const timeline = await readTimeline(feed.client, feed.realmId, [...asked.keys()], [by.userId]);
  const channels = new Map<MessageId, ChannelTimeline>();
  for (const [id, { isHistoryProtected }] of asked) {
    const own = timeline.placements.channelsOf(id);
    if (own && (own.later.length > 0 || isHistoryProtected)) channels.set(id, own);
  }
  const visits = await readVisits(feed, by, timeline, channels);
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

/** What channels were like is read and folded once for all messages. */
async function readVisits(
  feed: FeedReader,
  by: Reader,
  { placements, spansOf }: Timeline,
  messages: ReadonlyMap<MessageId, ChannelTimeline>,
): Promise<ReadonlyMap<MessageId, readonly Visit[]>> {
  if (messages.size === 0) return new Map();
  const history = await readChannelsAt(feed, placements.channels, placements.first as Position);
  const concerned = await readConcerned(feed, [...messages.keys()]);
  const accesses = new Map(
    placements.channels.map((id) => [id, accessOf(history.phases(id), spansOf(id, by.userId), by)]),
  );
  const accessTo = (channel: ChannelId) => accesses.get(channel) ?? NEVER;
  return new Map(
    [...messages].map(([id, channels]): [MessageId, Visit[]] => {
      return [id, visitsOf(id, channels, accessTo, concerned.get(id)?.has(by.userId) ?? false)];
    }),
  );
}

const NEVER: Access = { all: [], received: [], spans: [] };
