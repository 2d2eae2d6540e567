import type { SubscriptionSpan } from '@annals/channels';
import type { MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { contains, covers } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';
import type { HiddenArrivals } from './hidden-arrivals';
import { readHiddenArrivals } from './hidden-arrivals';
import type { ChannelInterval } from './intervals';
import type { Placements } from './placements';
import { readPlacements } from './placements';
import type { SubscriptionTimeline } from './subscriptions';
import { readSubscriptions } from './subscriptions';

/**
 * The past of some messages and some users: where the messages were, and to which of these channels the users were
 * subscribed. Every question about the past of a message is answered from these two facts.
 */
export class Timeline {
  /** The lists `later` of a channel timeline are the same for all messages that moved together. */
  private readonly readLater = new Map<readonly ChannelInterval[], Map<UserId, Position | undefined>>();

  /** @param spansOf of the channels that any of the messages was in */
  constructor(
    readonly placements: Placements,
    readonly spansOf: SubscriptionTimeline,
    private readonly isHidden: HiddenArrivals,
  ) {}

  /** Whether a user was subscribed to the channel that a message was sent to when it was sent. */
  receivedBy(message: MessageId, user: UserId): boolean {
    const sentTo = this.placements.channelsOf(message)?.sentTo;
    return sentTo !== undefined && covers(this.spansOf(sentTo, user), message);
  }

  /**
   * When a message became read for a user because access was lost: the user left the channel where the message was, it was
   * moved to a channel that the user was not subscribed to (contract/subscriptions.md section 3), or it was moved to a
   * channel with protected history while their account was deactivated. Undefined where none of them happened, and for
   * direct messages. Users whom `receivedBy` excludes have the message unread only if they marked it so.
   *
   * @param after position from which on the message could be unread: its id, or where the user marked it as unread
   */
  implicitlyReadAt(message: MessageId, user: UserId, after: number): Position | undefined {
    const channels = this.placements.channelsOf(message);
    if (!channels) return undefined;
    const { sentTo, later } = channels;
    const n = later.findLastIndex(({ since }) => since <= after);
    const channel = later[n]?.channelId ?? sentTo;
    const left = firstDeparture(this.spansOf(channel, user), after, later[n + 1]?.since ?? Infinity);
    return left ?? (n < 0 ? this.implicitlyReadAfter(later, user) : this.firstLoss(later, user, n + 1));
  }

  /** The same, of the channels after the one that messages were sent to: once for each user and all messages that moved together. */
  implicitlyReadAfter(later: readonly ChannelInterval[], user: UserId): Position | undefined {
    const known = this.readLater.get(later) ?? new Map<UserId, Position | undefined>();
    this.readLater.set(later, known);
    if (!known.has(user)) known.set(user, this.firstLoss(later, user, 0));
    return known.get(user);
  }

  /** @param first number of the channel interval to begin with */
  private firstLoss(later: readonly ChannelInterval[], user: UserId, first: number): Position | undefined {
    for (const [n, arrival] of later.entries()) {
      if (n < first) continue;
      const { since, channelId } = arrival;
      const spans = this.spansOf(channelId, user);
      if (this.isLostBy(arrival, spans)) return since;
      const left = firstDeparture(spans, since, later[n + 1]?.since ?? Infinity);
      if (left !== undefined) return left;
    }
    return undefined;
  }

  /** Whether a user cannot read messages that arrive in a channel by a move, or does not have them there. */
  private isLostBy(arrival: ChannelInterval, spans: readonly SubscriptionSpan[]): boolean {
    if (covers(spans, arrival.since)) return false;
    return isAbsent(spans, arrival.since) || this.isHidden(arrival);
  }
}

/** Reads the past of messages, deleted ones included, and of users. Direct messages have none. */
export async function readTimeline(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  users: readonly UserId[],
): Promise<Timeline> {
  const placements = await readPlacements(client, realmId, ids);
  const { channels, first, arrivals } = placements;
  const spansOf = await readSubscriptions(client, realmId, { channels, users, since: first });
  return new Timeline(placements, spansOf, await readHiddenArrivals(client, realmId, arrivals, users, spansOf));
}

/** Whether a user had left a channel by a position, or had not subscribed yet. A deactivated account has not left. */
const isAbsent = (spans: readonly SubscriptionSpan[], position: Position): boolean =>
  !spans.some(({ from, continuousUntil }) => contains({ from, to: continuousUntil }, position));

/**
 * When a user first left a channel between two positions, both exclusive. A span that ended because the account was
 * deactivated was not left.
 *
 * @param spans oldest first
 */
export function firstDeparture(
  spans: readonly SubscriptionSpan[],
  after: number,
  before: number,
): Position | undefined {
  const left = spans.find(({ to, continuousUntil }) => {
    return to !== null && to === continuousUntil && to > after && to < before;
  });
  return left?.to ?? undefined;
}
