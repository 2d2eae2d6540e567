import type { Reader } from '@annals/channels';
import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { ChannelId, MessageId, Position, Span } from '@annals/kernel/domain';
import { overlaps, spansAsOf } from '@annals/kernel/domain';
import { readSendersAndMentioned } from './protected-history-access';
import type { ChannelTimeline } from './timeline/placements';
import type { Timeline } from './timeline/timeline';
import { readTimeline } from './timeline/timeline';
import type { ChannelAccess, ReadableInterval } from './visits';
import { accessOf, readableIntervalsOf } from './visits';

/** A change of a message, with the stretches of the log before and after it up to the next change. */
export interface ChangeExtent {
  /** Since when the message had been as it was right before the change. */
  readonly since: Position;
  /** Of the change. */
  readonly position: Position;
  /** Of the next change; null where none followed. */
  readonly until: Position | null;
}

/** The past of messages that a reader can see now, as far as the reader may see it. */
export interface VisibleHistory {
  /** The first position at which the reader could read the message; null where there is none. */
  since(message: MessageId): Position | null;
  /** Whether the reader could read the message both before a change and after it. */
  shows(message: MessageId, change: ChangeExtent): boolean;
}

/** A visible message, with the facts that decide whether a part of its past may be hidden from its reader. */
interface Seen {
  readonly id: MessageId;
  readonly wasMoved: boolean;
  readonly isHistoryProtected: boolean;
}

/** A message that never left a channel with shared history has no hidden past, and nothing is read for it. */
export const mayHaveHiddenHistory = ({ wasMoved, isHistoryProtected }: Seen): boolean => wasMoved || isHistoryProtected;

/**
 * Reads when a reader could read messages that were in several channels, or are in one with protected history. Texts,
 * topics and channels that a message had while the reader could not read it stay hidden, wherever the message is moved and
 * whatever the reader joins later (decision 39).
 *
 * @param messages that the reader can see now, or could at `until`
 * @param until position; what happened later does not count
 */
export async function readVisibleHistory(
  feed: FeedReader,
  by: Reader,
  messages: readonly Seen[],
  until: number = Infinity,
): Promise<VisibleHistory> {
  const asked = new Map(messages.filter(mayHaveHiddenHistory).map((one) => [one.id, one]));
  const timeline = await readTimeline(feed.client, feed.realmId, [...asked.keys()], [by.userId]);
  const channels = new Map<MessageId, ChannelTimeline>();
  for (const [id, { isHistoryProtected }] of asked) {
    const own = timeline.placements.channelsOf(id);
    const later = own?.later.filter(({ since }) => since <= until) ?? [];
    if (own && (later.length > 0 || isHistoryProtected)) channels.set(id, { ...own, later });
  }
  const intervals = await readReadableIntervals(feed, by, timeline, channels, until);
  const couldRead = (id: MessageId, at: number, state: Span) => {
    const own = intervals.get(id);
    if (!own) return true;
    const interval = own.findLast(({ from }) => from <= at);
    return interval?.readable.some((one) => overlaps(one, state)) ?? false;
  };
  return {
    since: (id) => {
      const own = intervals.get(id);
      if (!own) return id as number as Position;
      const first = Math.min(...own.flatMap(({ readable }) => readable.map(({ from }) => from)));
      return first === Infinity ? null : (first as Position);
    },
    shows: (id, { since, position, until }) =>
      couldRead(id, position - 1, { from: since, to: position }) &&
      couldRead(id, position, { from: position, to: until }),
  };
}

/** Reads the privacy of the channels once for all messages. */
async function readReadableIntervals(
  feed: FeedReader,
  by: Reader,
  { placements, spansOf }: Timeline,
  messages: ReadonlyMap<MessageId, ChannelTimeline>,
  until: number,
): Promise<ReadonlyMap<MessageId, readonly ReadableInterval[]>> {
  if (messages.size === 0) return new Map();
  const history = await readChannelsAt(feed, placements.channels, placements.first as Position);
  const people = await readSendersAndMentioned(feed, [...messages.keys()]);
  const accesses = new Map(
    placements.channels.map((id) => {
      const phases = history.phases(id).filter(({ since }) => since <= until);
      return [id, accessOf(phases, spansAsOf(spansOf(id, by.userId), until), by)];
    }),
  );
  const accessTo = (channel: ChannelId) => accesses.get(channel) ?? NEVER;
  return new Map(
    [...messages].map(([id, channels]): [MessageId, ReadableInterval[]] => {
      return [id, readableIntervalsOf(id, channels, accessTo, people.get(id)?.has(by.userId) ?? false)];
    }),
  );
}

const NEVER: ChannelAccess = { all: [], received: [], spans: [] };
