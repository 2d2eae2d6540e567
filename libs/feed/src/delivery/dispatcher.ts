import { randomInt } from 'node:crypto';
import type { Actor, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { EventLog, Kernel } from '@annals/kernel';
import { ShuttingDown } from '@annals/kernel';
import type { Checkpoints } from '../translation/checkpoints';
import type { ClientQueue } from '../queues/client-queue';
import type { QueueActivity } from '../queues/queue-activity';
import type { QueueRows } from '../queues/queue-rows';
import type { WireEvent } from '../domain/flag-events';
import type { ClientEvents } from './reading/client-events';
import type { RealmFeedParts } from './realm-feed';
import { cursorOf, further, positionOf } from '../domain/event-id';
import { reject } from '../domain/rejections';
import { Poll } from './polls/poll';
import { RealmFeed } from './realm-feed';
import { PollOwnership } from './polls/poll-ownership';

/** A GET /events request. */
export interface PollRequest {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly dontBlock: boolean;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
}

export interface DispatcherParts extends Omit<RealmFeedParts, 'onServed' | 'events'> {
  readonly clientEvents: ClientEvents;
  readonly kernel: Pick<Kernel, 'wakeUps' | 'signals'> & { readonly events: Pick<EventLog, 'heads'> };
  readonly queues: QueueRows;
  readonly activity: QueueActivity;
  readonly checkpoints: Checkpoints;
}

/** A heartbeat is sent after 45 to 55 seconds (contract/realtime.md section 3). */
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
/** How long a poll that must not block waits for a worker to translate earlier events. */
const GRACE_MS = 1_000;
/** When nobody polls in a realm for so long, this process drops its events. */
const IDLE_MS = 60_000;
/** The signal to all processes that a queue was deleted. */
const DELETED = 'feed.queue-deleted';

/**
 * Answers the polls of one process. Wake-ups say that a log has grown, or that a worker has stored client events. While
 * polls wait, both are also read once a second, so a lost wake-up costs a second and never an event.
 */
export class Dispatcher {
  private readonly realms = new Map<RealmId, { feed: Promise<RealmFeed>; usedAt: Instant }>();
  private readonly feeds = new Map<RealmId, RealmFeed>();
  /** Ends the wake-ups of a realm that is polled here. */
  private readonly subscriptionsByRealm = new Map<RealmId, () => void>();
  /** Queues whose polls are about to begin: how many polls, and whether the queue was deleted meanwhile. */
  private readonly opening = new Map<string, { polls: number; isDeleted: boolean }>();
  private readonly subscriptions: (() => void)[];
  private readonly ownership: PollOwnership;
  private isClosing = false;
  private looking: Promise<void> | null = null;

  constructor(private readonly parts: DispatcherParts) {
    const { wakeUps, signals } = parts.kernel;
    this.ownership = new PollOwnership(wakeUps, parts.clock, (realmId, queueId) =>
      this.ownershipLost(realmId, queueId),
    );
    this.subscriptions = [
      wakeUps.onLost(() => void this.look().catch(() => undefined)),
      wakeUps.onSignal(DELETED, (realmId, queueId) => this.finish(realmId, queueId as string)),
      signals.onSignal((realmId, signal) => {
        parts.signals.add(realmId, signal);
        this.feeds.get(realmId)?.signalReceived();
      }),
      () => this.ownership.close(),
    ];
  }

  /** Realms that are polled here and stopped at an event that cannot be translated. */
  get stopped(): readonly { readonly realmId: RealmId; readonly position: Position }[] {
    return [...this.feeds.values()].flatMap(({ realmId, stoppedAt }) =>
      stoppedAt === null ? [] : [{ realmId, position: stoppedAt }],
    );
  }

  /** Polls that wait in this process. */
  get waiting(): number {
    return [...this.feeds.values()].reduce((sum, feed) => sum + feed.polls.size, 0);
  }

  /**
   * Answers GET /events (contract/realtime.md section 3). Waits until there is an event or a heartbeat is due.
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID
   * @throws ShuttingDown while the process is shutting down
   */
  async poll(by: Pick<Actor, 'realmId' | 'userId'>, request: PollRequest): Promise<readonly WireEvent[]> {
    if (this.isClosing) throw new ShuttingDown();
    const { queueId } = request;
    const opening = this.opening.get(queueId) ?? { polls: 0, isDeleted: false };
    this.opening.set(queueId, opening);
    opening.polls += 1;
    try {
      const [poll, feed] = await this.open(by, request);
      if (this.isClosing) throw new ShuttingDown();
      if (opening.isDeleted) throw reject.badQueueId(queueId);
      if (request.disconnected.aborted) return [];
      request.disconnected.addEventListener('abort', () => feed.leave(poll), { once: true });
      this.join(poll, feed);
      return poll.answered;
    } finally {
      opening.polls -= 1;
      if (opening.polls === 0) this.opening.delete(queueId);
    }
  }

  /**
   * Deletes a queue. Its waiting poll is answered first, in whichever process it is (contract/realtime.md section 4).
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID when the account has no such queue
   */
  async delete(by: Pick<Actor, 'realmId' | 'userId'>, queueId: string): Promise<void> {
    if (!(await this.parts.queues.delete(by.realmId, queueId, by.userId))) throw reject.badQueueId(queueId);
    this.finish(by.realmId, queueId);
    this.parts.kernel.wakeUps.signal(DELETED, by.realmId, queueId);
  }

  /** Once a second: heartbeats, and a check for lost wake-ups. */
  async tick(): Promise<void> {
    const now = this.parts.clock.now();
    this.parts.signals.sweep();
    for (const [realmId, { usedAt }] of this.realms) {
      const feed = this.feeds.get(realmId);
      if (feed && feed.polls.size > 0) {
        this.touch(realmId, now);
        feed.answerDue(now);
      } else if (now - usedAt > IDLE_MS) this.forget(realmId);
    }
    await this.look();
  }

  /** Once a minute: stores which queues polled. Polls of queues that no longer exist are refused. */
  async writeActivity(): Promise<void> {
    const gone = new Set(await this.parts.activity.write());
    if (gone.size === 0) return;
    for (const queueId of gone) this.markDeleted(queueId);
    for (const feed of this.feeds.values()) {
      for (const [queueId, poll] of feed.polls) if (gone.has(queueId)) poll.refuse(reject.badQueueId(queueId));
    }
  }

  /** Answers every poll with a heartbeat, and accepts no further polls. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const unsubscribe of [...this.subscriptions, ...this.subscriptionsByRealm.values()]) unsubscribe();
    for (const feed of this.feeds.values()) for (const poll of feed.polls.values()) feed.heartbeat(poll);
    await this.settled();
    await this.writeActivity();
  }

  /** Resolves when no read is in progress. */
  async settled(): Promise<void> {
    await Promise.all([...this.feeds.values()].map((feed) => feed.settled()));
  }

  private async open(
    by: Pick<Actor, 'realmId' | 'userId'>,
    request: PollRequest,
  ): Promise<readonly [poll: Poll, feed: RealmFeed]> {
    const queue = await this.parts.queues.find(by.realmId, request.queueId);
    if (queue?.userId !== by.userId) throw reject.badQueueId(request.queueId);
    return [await this.pollOf(queue, request), await this.feedOf(by.realmId)];
  }

  /** @throws Rejected for a cursor that the log has not reached: it comes from a history that a restore took back */
  private async pollOf(queue: ClientQueue, { lastEventId, dontBlock }: PollRequest): Promise<Poll> {
    const { clock, activity } = this.parts;
    const { realmId, registered } = queue;
    const cursor = further(cursorOf(lastEventId, registered), activity.servedBefore(queue));
    const isBeyond = positionOf(cursor.id) > (this.feeds.get(realmId)?.reached ?? 0);
    const head = isBeyond || dontBlock ? await this.headOf(realmId) : null;
    if (head !== null && positionOf(cursor.id) > head) throw reject.badQueueId(queue.id);
    const patience = dontBlock ? GRACE_MS : HEARTBEAT_MS + randomInt(HEARTBEAT_SPREAD_MS + 1);
    return new Poll(queue, cursor, (clock.now() + patience) as Instant, dontBlock ? head : null);
  }

  private join(poll: Poll, feed: RealmFeed): void {
    const { queue } = poll;
    this.parts.activity.polled(queue, this.parts.clock.now(), poll.cursor);
    this.ownership.claim(queue.realmId, queue.id);
    feed.join(poll);
  }

  private async headOf(realmId: RealmId): Promise<Position> {
    return (await this.lookAt([realmId])).get(realmId) ?? (0 as Position);
  }

  private feedOf(realmId: RealmId): Promise<RealmFeed> {
    const now = this.parts.clock.now();
    const known = this.realms.get(realmId);
    if (known) {
      this.touch(realmId, now);
      return known.feed;
    }
    const feed = this.openFeed(realmId);
    this.realms.set(realmId, { feed, usedAt: now });
    feed.catch(() => this.forget(realmId));
    return feed;
  }

  private async openFeed(realmId: RealmId): Promise<RealmFeed> {
    const { activity, kernel, pages, clientEvents } = this.parts;
    const { wakeUps } = kernel;
    const subscriptions = [
      wakeUps.subscribe('head', realmId, (_, position) => this.feeds.get(realmId)?.headMoved(position)),
      wakeUps.subscribe('client-events', realmId, (_, position) => this.feeds.get(realmId)?.translationMoved(position)),
      () => pages.close(realmId),
    ];
    this.subscriptionsByRealm.set(realmId, () => subscriptions.forEach((unsubscribe) => unsubscribe()));
    pages.open(realmId);
    // Nothing that happens after the head was read may be missed.
    await wakeUps.listening(realmId);
    const onServed = ({ queue, cursor }: Poll) => activity.served(queue, cursor);
    const feed = new RealmFeed(realmId, await this.headOf(realmId), { ...this.parts, events: clientEvents, onServed });
    this.feeds.set(realmId, feed);
    return feed;
  }

  /** One check at a time: a database that does not answer must not use up the connections. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    const polled = [...this.feeds.values()].filter((feed) => feed.polls.size > 0).map((feed) => feed.realmId);
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

  private touch(realmId: RealmId, usedAt: Instant): void {
    const known = this.realms.get(realmId);
    if (known) known.usedAt = usedAt;
  }

  private forget(realmId: RealmId): void {
    this.subscriptionsByRealm.get(realmId)?.();
    this.subscriptionsByRealm.delete(realmId);
    this.ownership.forget(realmId);
    this.realms.delete(realmId);
    this.feeds.delete(realmId);
  }

  /**
   * The client continued in another process, so what is known here of its progress is outdated. A poll that does not
   * block keeps its own answer, which follows soon.
   */
  private ownershipLost(realmId: RealmId, queueId: string): void {
    this.parts.activity.forget(queueId);
    this.parts.signalCursors.forget(queueId);
    const poll = this.feeds.get(realmId)?.polls.get(queueId);
    if (poll?.until === null) poll.answer([]);
  }

  private finish(realmId: RealmId, queueId: string): void {
    this.markDeleted(queueId);
    this.feeds.get(realmId)?.polls.get(queueId)?.answer([]);
  }

  /** A poll that found the queue just before its deletion would wait for nothing. */
  private markDeleted(queueId: string): void {
    const opening = this.opening.get(queueId);
    if (opening) opening.isDeleted = true;
  }
}
