import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';
import type { Span } from '../visibility/spans';
import { covers } from '../visibility/spans';
import type { ChannelTimeline } from './timeline/placements';

/** A stretch of the log: from ≤ position < to. `to` is infinite while it lasts. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The privacy of a channel from one position on. */
export interface PrivacyPhase {
  readonly since: Position;
  readonly channel: ChannelPrivacy;
}

/** When a reader could read the messages of a channel. */
export interface ChannelAccess {
  /** All messages. */
  readonly all: readonly Stretch[];
  /** Messages that had arrived for the reader. */
  readonly received: readonly Stretch[];
  /** When the reader was subscribed. */
  readonly spans: readonly Span[];
}

/** A channel interval of a message, with the stretches of it in which a reader could read the message. */
export interface ReadableInterval extends Stretch {
  readonly readable: readonly Stretch[];
}

/** When a reader could read the messages of a channel. @param phases oldest first */
export function accessOf(phases: readonly PrivacyPhase[], spans: readonly Span[], by: Reader): ChannelAccess {
  const access = { all: [] as Stretch[], received: [] as Stretch[], spans };
  const joinsAndLeaves = spans.flatMap(({ from, to }) => (to === null ? [from] : [from, to])).sort((a, b) => a - b);
  for (const [n, { since, channel }] of phases.entries()) {
    const until = phases[n + 1]?.since ?? Infinity;
    const cuts = [since, ...joinsAndLeaves.filter((cut) => since < cut && cut < until)];
    for (const [m, from] of cuts.entries()) {
      const scope = historyScope(channel, by, covers(spans, from));
      if (scope === 'all') access.all.push({ from, to: cuts[m + 1] ?? until });
      if (scope === 'received') access.received.push({ from, to: cuts[m + 1] ?? until });
    }
  }
  return access;
}

/**
 * When a reader could read a message, by its channel intervals, oldest first. A reader who could read everything in the
 * channel at the end of an interval, or can now, may read the whole interval: the channel was opened to them, its past
 * included (decision 39).
 *
 * @param isSenderOrMentioned the reader sent the message, or it mentioned them by name when it was sent
 */
export function readableIntervalsOf(
  id: MessageId,
  { sentTo, later }: ChannelTimeline,
  accessTo: (channel: ChannelId) => ChannelAccess,
  isSenderOrMentioned: boolean,
): ReadableInterval[] {
  const intervals = [{ since: id as number as Position, channelId: sentTo }, ...later];
  return intervals.map(({ since: from, channelId }, n): ReadableInterval => {
    const to = intervals[n + 1]?.since ?? Infinity;
    const { all, received, spans } = accessTo(channelId);
    if (all.some((one) => one.from < to && to <= one.to)) return { from, to, readable: [{ from, to }] };
    const hasArrived = (n === 0 && isSenderOrMentioned) || covers(spans, from);
    const readable = [...all, ...(hasArrived ? received : [])]
      .filter((one) => overlap(one, { from, to }))
      .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }));
    return { from, to, readable };
  });
}

/** Whether two stretches share a position. */
export const overlap = (a: Stretch, b: Stretch): boolean => Math.max(a.from, b.from) < Math.min(a.to, b.to);
