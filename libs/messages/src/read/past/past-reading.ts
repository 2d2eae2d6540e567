import type { ChannelPrivacy, Reader, SubscriptionSpan } from '@annals/channels';
import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import type { Actor, ChannelId, Position, Span, TopicId, UserId } from '@annals/kernel/domain';
import { isCurrent, spansAsOf } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { readSubscriptions } from '../history/timeline/subscriptions';
import type { TopicPlacement, TopicRevision } from '../history/topic-history';
import { readTopicRevisions } from '../history/topic-history';

/** A channel as it was, and as it is. */
export interface ChannelThenAndNow {
  /** Undefined before it was created. */
  readonly then: (ChannelPrivacy & { readonly name: string; readonly isArchived: boolean }) | undefined;
  readonly now: ChannelPrivacy | undefined;
}

/**
 * What is known of one moment, for one account, in one snapshot. Channels, subscriptions and topics are read once,
 * however many pages of messages are looked at.
 */
export class PastReading {
  private readonly channels = new Map<ChannelId, ChannelThenAndNow>();
  private readonly spans = new Map<ChannelId, readonly SubscriptionSpan[]>();
  private readonly revisions = new Map<TopicId, readonly TopicRevision[]>();

  /** The account as it is today: only what it may read today is answered. Null where that does not count. */
  readonly today: Actor | null;
  readonly position: Position;

  /** @param then the account as it was, with its role and its groups */
  constructor(
    readonly reader: FeedReader,
    { position, today }: Pick<AsOf, 'position' | 'today'>,
    readonly then: Reader,
  ) {
    this.today = today;
    this.position = position;
  }

  get userId(): UserId {
    return this.then.userId;
  }

  /** Reads channels and the subscriptions of the account to them, as far as they are not known. */
  async know(ids: readonly ChannelId[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.channels.has(id));
    if (missing.length === 0) return;
    const { client, realmId } = this.reader;
    const history = await readChannelsAt(this.reader, missing, this.position);
    const users = [this.userId];
    const spansOf = await readSubscriptions(client, realmId, { channels: missing, users, since: 0 });
    for (const id of missing) {
      this.channels.set(id, { then: history.at(id, this.position), now: history.at(id, LATEST) });
      this.spans.set(id, spansOf(id, this.userId));
    }
  }

  /** A channel that is known. */
  channel(id: ChannelId): ChannelThenAndNow {
    return this.channels.get(id) ?? NO_CHANNEL;
  }

  /** The subscriptions to a known channel until today. */
  spansToday(id: ChannelId): readonly Span[] {
    return this.spans.get(id) ?? [];
  }

  /** The same as they were: those that ended later had not ended. */
  spansThen(id: ChannelId): readonly Span[] {
    return spansAsOf(this.spansToday(id), this.position);
  }

  isSubscribedToday(id: ChannelId): boolean {
    return this.spansToday(id).some(isCurrent);
  }

  isSubscribedThen(id: ChannelId): boolean {
    return this.spansThen(id).some(isCurrent);
  }

  /** Whether a known channel had protected history: new subscribers did not see earlier messages. */
  isProtected(id: ChannelId): boolean {
    return this.channel(id).then?.historyPublicToSubscribers === false;
  }

  /** Reads the names and channels that topics had, as far as they are not known. */
  async knowTopics(ids: readonly TopicId[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.revisions.has(id));
    if (missing.length === 0) return;
    const read = await readTopicRevisions(this.reader.client, this.reader.realmId, missing);
    for (const id of missing) this.revisions.set(id, read.get(id) ?? []);
  }

  /** Where a known topic was. Undefined before it was started. */
  topic(id: TopicId): TopicPlacement | undefined {
    return this.revisions.get(id)?.findLast(({ position }) => position <= this.position);
  }

  /** Where it is today, or was when it ended. */
  topicToday(id: TopicId): TopicPlacement | undefined {
    return this.revisions.get(id)?.at(-1);
  }
}

const LATEST = Number.MAX_SAFE_INTEGER as Position;
const NO_CHANNEL: ChannelThenAndNow = { then: undefined, now: undefined };
