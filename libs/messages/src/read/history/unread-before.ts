import type { ChannelId, MessageId, Position, UserId } from '@annals/kernel/domain';
import { ascending, covers } from '@annals/kernel/domain';
import type { ReadState, ReadStates } from '../flags/read-states';
import { NO_MARKS } from '../flags/read-states';
import type { ReadOnArrival } from './messages-read-on-arrival';
import type { ChannelTimeline } from './timeline/placements';
import type { Timeline } from './timeline/timeline';
import { firstDeparture } from './timeline/timeline';

/** The unread ones of some messages, by user. A list is computed on demand. */
export interface UnreadLists {
  /** Ascending. */
  of(user: UserId): readonly MessageId[];
  /** Users with the same key have the same list: a topic may have thousands of readers. */
  variantKey(user: UserId): string;
}

/** Messages that were sent to one channel and moved together. */
interface MovedTogether extends ChannelTimeline {
  readonly ids: MessageId[];
}

/** Messages by the channels that they were in, so that users are compared with channels and not with messages. */
export function movedTogether(timeline: Timeline, ids: readonly MessageId[]): readonly MovedTogether[] {
  const groups = new Map<ChannelTimeline['later'], Map<ChannelId, MovedTogether>>();
  for (const id of ids) {
    const channels = timeline.placements.channelsOf(id);
    if (!channels) continue;
    const bySource = groups.get(channels.later) ?? new Map<ChannelId, MovedTogether>();
    const group = bySource.get(channels.sentTo) ?? { ...channels, ids: [] };
    group.ids.push(id);
    groups.set(channels.later, bySource.set(channels.sentTo, group));
  }
  return [...groups.values()].flatMap((bySource) => [...bySource.values()]);
}

/** Marks of users on messages, and messages that arrived read. */
export interface ReadRecords {
  readonly states: ReadStates;
  readonly readOnArrival: ReadOnArrival;
}

/**
 * The unread ones of messages right before a position, by user. Marks count as they are now: each later mark has an event of
 * its own, which follows.
 */
export function unreadBefore(
  position: Position,
  timeline: Timeline,
  groups: readonly MovedTogether[],
  { states, readOnArrival }: ReadRecords,
): UnreadLists {
  const lists = new Map<string, readonly MessageId[]>();
  const listOf = (user: UserId): readonly MessageId[] => {
    const key = spansKey(user, position, timeline);
    const list = lists.get(key) ?? ascending(groups.flatMap((group) => unreadAmong(group, user, position, timeline)));
    lists.set(key, list);
    return list;
  };
  return {
    of: (user) => {
      const [list, read, state] = [listOf(user), readOnArrival.get(user), states(user)];
      if (!read && state === NO_MARKS) return list;
      const received = list.filter((id) => !read?.has(id) && !state.isMarkedRead(id));
      const marked = markedUnread(groups, user, position, timeline, state);
      return marked.length === 0 ? received : ascending(new Set([...received, ...marked]));
    },
    variantKey: (user) => {
      const isAlone = readOnArrival.has(user) || states(user) !== NO_MARKS;
      return `${isAlone ? user : ''} ${spansKey(user, position, timeline)}`;
    },
  };
}

/** Messages that a user had marked as unread by a position without losing access since. */
function markedUnread(
  groups: readonly MovedTogether[],
  user: UserId,
  position: Position,
  timeline: Timeline,
  state: ReadState,
): MessageId[] {
  return groups.flatMap(({ ids }) =>
    ids.filter((id) => {
      const since = state.markedUnreadAt(id) ?? Infinity;
      if (since >= position || state.isMarkedRead(id)) return false;
      return (timeline.implicitlyReadAt(id, user, since) ?? Infinity) >= position;
    }),
  );
}

/** A message is unread for users who received it as subscribers, until it is implicitly read. */
function unreadAmong(
  { sentTo, later, ids }: MovedTogether,
  user: UserId,
  position: Position,
  timeline: Timeline,
): readonly MessageId[] {
  if ((timeline.implicitlyReadAfter(later, user) ?? Infinity) < position) return [];
  const spans = timeline.spansOf(sentTo, user);
  const until = Math.min(later[0]?.since ?? Infinity, position);
  return ids.filter((id) => covers(spans, id) && firstDeparture(spans, id, until) === undefined);
}

/** The part of a user's spans that matters for the messages before a position: the same text for the same answers. */
function spansKey(user: UserId, position: Position, { placements, spansOf }: Timeline): string {
  const ended = (end: Position | null) => (end !== null && end < position ? end : null);
  const spans = placements.channels.map((channel) =>
    spansOf(channel, user).flatMap(({ from, to, continuousUntil }) =>
      from < position ? [[Math.max(from, placements.first), ended(to), ended(continuousUntil)]] : [],
    ),
  );
  return JSON.stringify(spans);
}
