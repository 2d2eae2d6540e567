import type { ChannelId, Position, TopicId } from '@annals/kernel/domain';

/** Until right before a position, a topic or message was in this place. */
export interface Ended<Place> {
  readonly until: Position;
  readonly place: Place;
}

/** From `since` to right before `until`, a topic or message was in this place. */
export interface Interval<Place> extends Ended<Place> {
  readonly since: Position;
}

/** From a position on, until the next interval, a topic or message was in this channel. */
export interface ChannelInterval {
  readonly since: Position;
  readonly channelId: ChannelId;
}

/** From a position on, until the next interval, a message was in this topic. */
export interface TopicInterval {
  readonly since: Position;
  readonly topicId: TopicId;
}

/** The end of an interval that has not ended. */
export const FOREVER = Number.MAX_SAFE_INTEGER as Position;

/** The last of these intervals that had begun by a position. @param intervals oldest first */
export const lastBy = <One extends { readonly since: Position }>(
  intervals: readonly One[] | undefined,
  position: number,
): One | undefined => intervals?.findLast(({ since }) => since <= position);

/** Each place begins where the one before it ends. @param ended oldest first */
export const intervalsOf = <Place>(ended: readonly Ended<Place>[]): Interval<Place>[] =>
  ended.map((one, n) => ({ ...one, since: ended[n - 1]?.until ?? (0 as Position) }));

/** The channel intervals of something that was in these topics: neighbors in one channel are one interval. */
export function channelsOn(
  topics: readonly Interval<TopicId>[],
  channels: ReadonlyMap<TopicId, readonly Interval<ChannelId>[]>,
): ChannelInterval[] {
  const found: ChannelInterval[] = [];
  for (const inTopic of topics) {
    for (const { since, until, place: channelId } of channels.get(inTopic.place) ?? []) {
      if (until <= inTopic.since || since >= inTopic.until) continue;
      const from = Math.max(since, inTopic.since) as Position;
      if (found.at(-1)?.channelId !== channelId) found.push({ since: from, channelId });
    }
  }
  return found;
}
