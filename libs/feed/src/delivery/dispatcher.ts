import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor, Clock, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { Kernel } from '@annals/kernel';
import { Overloaded } from '@annals/kernel';
import type { Checkpoints } from '../translation/checkpoints';
import type { ClientQueue } from '../queues/client-queue';
import type { Contacts } from '../queues/contacts';
import type { QueueRows } from '../queues/queue-rows';
import type { WireEvent } from '../domain/flag-events';
import type { RealmFeedParts } from './realm-feed';
import { cursorOf, further, positionOf } from '../domain/event-id';
import { reject } from '../domain/rejections';
import { Poll } from './poll';
import { RealmFeed } from './realm-feed';

/** GET /events as it was asked. */
export interface PollRequest {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly dontBlock: boolean;
  /** Aborts when the client goes away. */
  readonly disconnected: AbortSignal;
}

export interface DispatcherParts extends Omit<RealmFeedParts, 'onServed'> {
  readonly kernel: Pick<Kernel, 'events' | 'wakeUps'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly queues: QueueRows;
  readonly contacts: Contacts;
  readonly checkpoints: Checkpoints;
  /** Translates what the log has now. @returns how far it came */
  readonly translate: (realmId: RealmId) => Promise<Position>;
}

/** A heartbeat comes after 45 to 55 seconds (contract/realtime.md section 3). */
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
/** Events of a realm nobody polls in this process are forgotten after this. */
const IDLE_MS = 60_000;
/** Tells all processes that a queue was deleted. */
const DELETED = 'feed.queue-deleted';

/**
 * Answers the polls of one process. It hears from wake-ups that a realm has new client events, and looks at the
 * checkpoints itself once a second while polls hang: a lost wake-up costs a second, never an event.
 */
export class Dispatcher {
  private readonly realms = new Map<RealmId, { feed: Promise<RealmFeed>; usedAt: Instant }>();
  private readonly feeds = new Map<RealmId, RealmFeed>();
  private readonly subscriptions: (() => void)[];
  private isLeaving = false;

  constructor(private readonly parts: DispatcherParts) {
    const { wakeUps } = parts.kernel;
    this.subscriptions = [
      wakeUps.subscribe('client-events', (realmId, position) => this.feeds.get(realmId)?.tell(position)),
      wakeUps.onLost(() => void this.look().catch(() => undefined)),
      wakeUps.onSignal(DELETED, (realmId, queueId) => this.finish(realmId, queueId as string)),
    ];
  }

  /** Polls that wait in this process. */
  get waiting(): number {
    return [...this.feeds.values()].reduce((sum, feed) => sum + feed.polls.size, 0);
  }

  /**
   * Answers GET /events (contract/realtime.md section 3); hangs until there is an event or a heartbeat is due.
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID
   * @throws Overloaded while the process is shutting down
   */
  async poll(by: Pick<Actor, 'realmId' | 'userId'>, request: PollRequest): Promise<readonly WireEvent[]> {
    if (this.isLeaving) throw new Overloaded('the server is shutting down');
    const { realmId } = by;
    const queue = await this.parts.queues.find(realmId, request.queueId);
    if (queue?.userId !== by.userId) throw reject.badQueueId(request.queueId);
    const poll = this.open(queue, request);
    await this.refuseBeyondHead(queue, positionOf(poll.cursor.id));
    const translated = request.dontBlock ? await this.parts.translate(realmId) : null;
    const feed = await this.feedOf(realmId);
    if (this.isLeaving) throw new Overloaded('the server is shutting down');
    if (translated !== null) feed.tell(translated);
    request.disconnected.addEventListener('abort', () => feed.leave(poll), { once: true });
    if (request.disconnected.aborted) return [];
    this.parts.contacts.polled(queue, this.parts.clock.now(), poll.cursor);
    feed.join(poll);
    return poll.answered;
  }

  /**
   * Deletes a queue; a poll that hangs on it is answered first, in whichever process (contract/realtime.md section 4).
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID when the account has no such queue
   */
  async delete(by: Pick<Actor, 'realmId' | 'userId'>, queueId: string): Promise<void> {
    if (!(await this.parts.queues.delete(by.realmId, queueId, by.userId))) throw reject.badQueueId(queueId);
    this.finish(by.realmId, queueId);
    this.parts.kernel.wakeUps.signal(DELETED, by.realmId, queueId);
  }

  /** Once a second: heartbeats, and a look at what wake-ups may have missed. */
  async tick(): Promise<void> {
    const now = this.parts.clock.now();
    for (const [realmId, { usedAt }] of this.realms) {
      const feed = this.feeds.get(realmId);
      if (feed && feed.polls.size > 0) {
        this.touch(realmId, now);
        feed.beat(now);
      } else if (now - usedAt > IDLE_MS) this.forget(realmId);
    }
    await this.look();
  }

  /** Once a minute: writes who polled; polls of queues that are gone are told so. */
  async writeContacts(): Promise<void> {
    const gone = new Set(await this.parts.contacts.write());
    if (gone.size === 0) return;
    for (const feed of this.feeds.values()) {
      for (const [queueId, poll] of feed.polls) if (gone.has(queueId)) poll.refuse(reject.badQueueId(queueId));
    }
  }

  /** Answers every poll, with a heartbeat as clients know it, and takes no more. */
  async close(): Promise<void> {
    this.isLeaving = true;
    for (const unsubscribe of this.subscriptions) unsubscribe();
    for (const feed of this.feeds.values()) for (const poll of feed.polls.values()) feed.heartbeat(poll);
    await Promise.all([...this.feeds.values()].map((feed) => feed.settled()));
    await this.writeContacts();
  }

  private open(queue: ClientQueue, { lastEventId, dontBlock }: PollRequest): Poll {
    const { clock, contacts } = this.parts;
    const cursor = further(cursorOf(lastEventId, queue.registered), contacts.servedBefore(queue));
    const deadline = clock.now() + HEARTBEAT_MS + randomInt(HEARTBEAT_SPREAD_MS + 1);
    return new Poll(queue, cursor, dontBlock, deadline as Instant);
  }

  /** A cursor that the log has not reached comes from a history that was taken back by a restore. */
  private async refuseBeyondHead({ realmId, id }: ClientQueue, position: Position): Promise<void> {
    if (position <= (this.feeds.get(realmId)?.reached ?? 0)) return;
    const head = (await this.parts.kernel.events.heads([realmId])).get(realmId) ?? 0;
    if (position > head) throw reject.badQueueId(id);
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
    const { checkpoints, contacts } = this.parts;
    const position = (await checkpoints.of([realmId])).get(realmId) ?? (0 as Position);
    const onServed = ({ queue, cursor }: Poll) => contacts.served(queue, cursor);
    const feed = new RealmFeed(realmId, position, { ...this.parts, onServed });
    this.feeds.set(realmId, feed);
    return feed;
  }

  private async look(): Promise<void> {
    const polled = [...this.feeds.values()].filter((feed) => feed.polls.size > 0).map((feed) => feed.realmId);
    if (polled.length === 0) return;
    for (const [realmId, position] of await this.parts.checkpoints.of(polled)) this.feeds.get(realmId)?.tell(position);
  }

  private touch(realmId: RealmId, usedAt: Instant): void {
    const known = this.realms.get(realmId);
    if (known) known.usedAt = usedAt;
  }

  private forget(realmId: RealmId): void {
    this.realms.delete(realmId);
    this.feeds.delete(realmId);
  }

  private finish(realmId: RealmId, queueId: string): void {
    this.feeds.get(realmId)?.polls.get(queueId)?.answer([]);
  }
}
