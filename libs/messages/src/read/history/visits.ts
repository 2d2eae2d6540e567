import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelId, MessageId, Position, Span } from '@annals/kernel/domain';
import { ascending, contains, covers, intersection } from '@annals/kernel/domain';
import type { ChannelTimeline } from './timeline/placements';

/** The privacy of a channel from one position on. */
export interface PrivacyPhase {
  readonly since: Position;
  readonly channel: ChannelPrivacy;
}

/** When a reader could read the messages of a channel. */
export interface ChannelAccess {
  /** All messages. */
  readonly all: readonly Span[];
  /** Messages that had arrived for the reader. */
  readonly received: readonly Span[];
  /** When the reader was subscribed. */
  readonly spans: readonly Span[];
}

/** A channel interval of a message, with the stretches of it in which a reader could read the message. */
export interface ReadableInterval extends Span {
  readonly readable: readonly Span[];
}

/** When a reader could read the messages of a channel. @param phases oldest first */
export function accessOf(phases: readonly PrivacyPhase[], spans: readonly Span[], by: Reader): ChannelAccess {
  const access = { all: [] as Span[], received: [] as Span[], spans };
  const joinsAndLeaves = ascending(spans.flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
  for (const [n, { since, channel }] of phases.entries()) {
    const until = phases[n + 1]?.since ?? null;
    const cuts = [since, ...joinsAndLeaves.filter((cut) => cut > since && contains({ from: since, to: until }, cut))];
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
    const interval = { from, to: intervals[n + 1]?.since ?? null };
    const { all, received, spans } = accessTo(channelId);
    if (all.some((one) => isOpenAtEndOf(interval, one))) return { ...interval, readable: [interval] };
    const hasArrived = (n === 0 && isSenderOrMentioned) || covers(spans, from);
    const readable = [...all, ...(hasArrived ? received : [])].flatMap((one) => intersection(one, interval) ?? []);
    return { ...interval, readable };
  });
}

/** Whether access to a channel lasted to the end of an interval, or lasts still where the interval has not ended. */
const isOpenAtEndOf = ({ to }: Span, access: Span): boolean =>
  to === null ? access.to === null : contains(access, to - 1);
