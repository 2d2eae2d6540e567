import type { Instant, Position, RealmId } from '@annals/kernel/domain';
import type { EventLog, Kernel } from '@annals/kernel';
import type { QueueActivity } from '../queues/queue-activity';
import type { Checkpoints } from '../translation/checkpoints';
import type { ClientEvents } from './reading/client-events';
import type { RealmFeedParts } from './realm-feed';
import { RealmFeed } from './realm-feed';

export interface RealmFeedsParts extends Omit<RealmFeedParts, 'onServed' | 'events'> {
  readonly clientEvents: ClientEvents;
  readonly kernel: Pick<Kernel, 'wakeUps'> & { readonly events: Pick<EventLog, 'heads'> };
  readonly activity: QueueActivity;
  readonly checkpoints: Checkpoints;
}

/** When nobody polls in a realm for so long, this process drops its events. */
const IDLE_MS = 60_000;

/**
 * The feeds of the realms that are polled in one process. Wake-ups say that a log has grown, or that a worker has stored
 * client events. While polls wait, both are also read once a second, so a lost wake-up costs a second and never an event.
 */
export class RealmFeeds {
  private readonly realms = new Map<RealmId, { feed: Promise<RealmFeed>; usedAt: Instant }>();
  private readonly feeds = new Map<RealmId, RealmFeed>();
  /** Ends the wake-ups of a realm that is polled here. */
  private readonly subscriptions = new Map<RealmId, () => void>();
  private looking: Promise<void> | null = null;

  /** @param onForgotten this process no longer receives wake-ups and signals of the realm */
  constructor(
    private readonly parts: RealmFeedsParts,
    private readonly onForgotten: (realmId: RealmId) => void,
  ) {}

  get all(): readonly RealmFeed[] {
    return [...this.feeds.values()];
  }

  get(realmId: RealmId): RealmFeed | undefined {
    return this.feeds.get(realmId);
  }

  /** The feed of a realm, which is opened if it was not in use. */
  open(realmId: RealmId): Promise<RealmFeed> {
    const usedAt = this.parts.clock.now();
    const known = this.realms.get(realmId);
    if (known) {
      known.usedAt = usedAt;
      return known.feed;
    }
    const feed = this.opened(realmId);
    this.realms.set(realmId, { feed, usedAt });
    feed.catch(() => this.forget(realmId));
    return feed;
  }

  /** The newest position of a realm. */
  async headOf(realmId: RealmId): Promise<Position> {
    return (await this.lookAt([realmId])).get(realmId) ?? (0 as Position);
  }

  /** Answers polls that have waited long enough, and drops realms that are not in use. @param isStreamed realms with open streams */
  answerDue(isStreamed: (realmId: RealmId) => boolean): void {
    const now = this.parts.clock.now();
    for (const [realmId, known] of this.realms) {
      const feed = this.feeds.get(realmId);
      if (feed && (feed.polls.size > 0 || isStreamed(realmId))) {
        known.usedAt = now;
        feed.answerDue(now);
      } else if (now - known.usedAt > IDLE_MS) this.forget(realmId);
    }
  }

  /** Checks for lost wake-ups. One check at a time: a database that does not answer must not use up the connections. */
  look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = null));
    return this.looking;
  }

  /** Receives no more wake-ups. */
  close(): void {
    for (const unsubscribe of this.subscriptions.values()) unsubscribe();
  }

  /** Resolves when no read is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.all.map((feed) => feed.settled()));
  }

  private async opened(realmId: RealmId): Promise<RealmFeed> {
    const { activity, kernel, pages, clientEvents } = this.parts;
    const { wakeUps } = kernel;
    const subscriptions = [
      wakeUps.subscribe('head', realmId, (_, position) => this.feeds.get(realmId)?.headMoved(position)),
      wakeUps.subscribe('client-events', realmId, (_, position) => this.feeds.get(realmId)?.translationMoved(position)),
      () => pages.close(realmId),
    ];
    this.subscriptions.set(realmId, () => subscriptions.forEach((unsubscribe) => unsubscribe()));
    pages.open(realmId);
    // Nothing that happens after the head was read may be missed.
    await wakeUps.listening(realmId);
    const feed = new RealmFeed(realmId, await this.headOf(realmId), {
      ...this.parts,
      events: clientEvents,
      onServed: ({ queue, cursor }) => activity.served(queue, cursor),
    });
    this.feeds.set(realmId, feed);
    return feed;
  }

  private async lookOnce(): Promise<void> {
    const polled = this.all.filter((feed) => feed.polls.size > 0).map((feed) => feed.realmId);
    if (polled.length === 0) return;
    await this.lookAt(polled);
  }

  /** @returns the newest positions of these realms */
  private async lookAt(realms: readonly RealmId[]): Promise<ReadonlyMap<RealmId, Position>> {
    const { kernel, checkpoints } = this.parts;
    const heads = await kernel.events.heads(realms);
    for (const [realmId, head] of heads) this.feeds.get(realmId)?.headMoved(head);
    const waiting = realms.filter((realmId) => this.feeds.get(realmId)?.isWaiting);
    const translated = waiting.length === 0 ? [] : await checkpoints.of(waiting);
    for (const [realmId, position] of translated) this.feeds.get(realmId)?.translationMoved(position);
    return heads;
  }

  private forget(realmId: RealmId): void {
    this.subscriptions.get(realmId)?.();
    this.subscriptions.delete(realmId);
    this.onForgotten(realmId);
    this.realms.delete(realmId);
    this.feeds.delete(realmId);
  }
}
