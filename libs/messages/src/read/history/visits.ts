import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';
import type { ChannelTimeline } from './timeline/placements';
import type { Span } from '../visibility/spans';
import { covers } from '../visibility/spans';

/** A stretch of the log: from ≤ position < to, which is infinite while it lasts. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** From one position on, a channel was like this. */
export interface Phase {
  readonly since: Position;
  readonly channel: ChannelPrivacy;
}

/** When somebody could read what is in a channel. */
export interface Access {
  /** Everything in it. */
  readonly all: readonly Stretch[];
  /** What had come to them. */
  readonly received: readonly Stretch[];
  /** When they were subscribed. */
  readonly spans: readonly Span[];
}

/** One stay of a message in a channel, with the stretches of it in which somebody could read the message. */
export interface Visit extends Stretch {
  readonly readable: readonly Stretch[];
}

/** @param phases oldest first */
export function accessOf(phases: readonly Phase[], spans: readonly Span[], by: Reader): Access {
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
 * The stays of a message as somebody could read it in them, oldest first. Who could read everything in the channel as a
 * stay ended, or can now, may read the whole stay: it was opened to them, its past included (decision 39).
 *
 * @param isConcerned they sent the message, or it called them by name as it was sent
 */
export function visitsOf(
  id: MessageId,
  { sentTo, later }: ChannelTimeline,
  accessTo: (channel: ChannelId) => Access,
  isConcerned: boolean,
): Visit[] {
  const stays = [{ since: id as number as Position, channelId: sentTo }, ...later];
  return stays.map(({ since: from, channelId }, n): Visit => {
    const to = stays[n + 1]?.since ?? Infinity;
    const { all, received, spans } = accessTo(channelId);
    if (all.some((one) => one.from < to && to <= one.to)) return { from, to, readable: [{ from, to }] };
    const cameTo = (n === 0 && isConcerned) || covers(spans, from);
    const readable = [...all, ...(cameTo ? received : [])]
      .filter((one) => overlap(one, { from, to }))
      .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }));
    return { from, to, readable };
  });
}

/** Whether two stretches share a position. */
export const overlap = (a: Stretch, b: Stretch): boolean => Math.max(a.from, b.from) < Math.min(a.to, b.to);
