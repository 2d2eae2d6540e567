import { randomInt } from 'node:crypto';
import type { Actor, Instant, Position, RealmId } from '@annals/kernel/domain';
import type { Kernel } from '@annals/kernel';
import { ShuttingDown } from '@annals/kernel';
import type { ClientQueue } from '../queues/client-queue';
import type { QueueRows } from '../queues/queue-rows';
import type { Cursor } from '../domain/event-id';
import type { WireEvent } from '../domain/flag-events';
import type { RealmFeed } from './realm-feed';
import type { RealmFeedsParts } from './realm-feeds';
import { cursorOf, further, positionOf } from '../domain/event-id';
import { reject } from '../domain/rejections';
import { OpenStreams } from './polls/open-streams';
import { Openings } from './polls/openings';
import { Poll } from './polls/poll';
import { PollOwnership } from './polls/poll-ownership';
import { QueueStream } from './polls/queue-stream';
import { RealmFeeds } from './realm-feeds';

type Reader = Pick<Actor, 'realmId' | 'userId'>;

/** A GET /events request that is answered with a stream. */
export interface StreamRequest {
  readonly queueId: string;
  readonly lastEventId: number;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
}

/** A GET /events request that is answered once. */
export interface PollRequest extends StreamRequest {
  readonly dontBlock: boolean;
}

export interface DispatcherParts extends RealmFeedsParts {
  readonly kernel: RealmFeedsParts['kernel'] & Pick<Kernel, 'signals'>;
  readonly queues: QueueRows;
}

/** A heartbeat is sent after 45 to 55 seconds (contract/realtime.md section 3). */
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
/** How long a poll that must not block waits for a worker to translate earlier events. */
const GRACE_MS = 1_000;
/** The signal to all processes that a queue was deleted. */
const DELETED = 'feed.queue-deleted';

/**
 * Answers the polls and streams of one process. A queue has one reader: the newest request keeps it, whether it is a poll
 * or a stream, and in whichever process it is.
 */
export class Dispatcher {
  private readonly feeds: RealmFeeds;
  private readonly openings = new Openings();
  private readonly streams = new OpenStreams();
  private readonly ownership: PollOwnership;
  private readonly subscriptions: (() => void)[];
  private isClosing = false;

  constructor(private readonly parts: DispatcherParts) {
    const { wakeUps, signals } = parts.kernel;
    this.ownership = new PollOwnership(wakeUps, parts.clock, (realmId, queueId) =>
      this.ownershipLost(realmId, queueId),
    );
    this.feeds = new RealmFeeds(parts, (realmId) => this.ownership.forget(realmId));
    this.subscriptions = [
      wakeUps.onLost(() => this.signalsLost()),
      wakeUps.onSignal(DELETED, (realmId, queueId) => this.finish(realmId, queueId as string)),
      signals.onSignal((realmId, signal) => {
        parts.signals.add(realmId, signal);
        this.feeds.get(realmId)?.signalReceived();
      }),
      () => this.ownership.close(),
      () => this.feeds.close(),
    ];
  }

  /** Realms that are polled here and stopped at an event that cannot be translated. */
  get stopped(): readonly { readonly realmId: RealmId; readonly position: Position }[] {
    return this.feeds.all.flatMap(({ realmId, stoppedAt }) =>
      stoppedAt === null ? [] : [{ realmId, position: stoppedAt }],
    );
  }

  /** Polls that wait in this process, and streams that wait for events. */
  get waiting(): number {
    return this.feeds.all.reduce((sum, feed) => sum + feed.polls.size, 0);
  }

  /** Streams that are open in this process. */
  get streaming(): number {
    return this.streams.count;
  }

  /**
   * Answers GET /events (contract/realtime.md section 3). Waits until there is an event or a heartbeat is due.
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID
   * @throws ShuttingDown while the process is shutting down
   */
  async poll(by: Reader, request: PollRequest): Promise<readonly WireEvent[]> {
    const { disconnected } = request;
    const { answered } = await this.begin(by, request, (poll, feed) => {
      if (disconnected.aborted) poll.answer([]);
      if (!poll.isOpen) return poll;
      disconnected.addEventListener('abort', () => feed.leave(poll), { once: true });
      this.takeOver(poll.queue, feed);
      this.wait(poll, feed);
      return poll;
    });
    return answered;
  }

  /**
   * Answers GET /events with a stream (contract/feed.md section 5). It ends when its client disconnects, and for the
   * reasons for which a waiting poll ends.
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID
   * @throws ShuttingDown while the process is shutting down
   */
  stream(by: Reader, request: StreamRequest): Promise<QueueStream> {
    const { disconnected } = request;
    return this.begin(by, { ...request, dontBlock: false }, ({ queue, cursor }, feed) => {
      const wait = (from: Cursor) => this.continued(queue, from, feed);
      const stream = new QueueStream(queue, cursor, { wait, closed: () => this.streamClosed(queue) });
      this.takeOver(queue, feed);
      this.streams.add(stream);
      if (disconnected.aborted) void stream.return();
      disconnected.addEventListener('abort', () => void stream.return(), { once: true });
      return stream;
    });
  }

  /**
   * Deletes a queue. Its waiting poll is answered and its stream ends, in whichever process it is (contract/realtime.md
   * section 4).
   *
   * @throws Rejected BAD_EVENT_QUEUE_ID when the account has no such queue
   */
  async delete(by: Reader, queueId: string): Promise<void> {
    if (!(await this.parts.queues.delete(by.realmId, queueId, by.userId))) throw reject.badQueueId(queueId);
    this.finish(by.realmId, queueId);
    this.parts.kernel.wakeUps.signal(DELETED, by.realmId, queueId);
  }

  /** Once a second: heartbeats, and a check for lost wake-ups. */
  async tick(): Promise<void> {
    this.parts.signals.sweep();
    this.feeds.answerDue((realmId) => this.streams.isOpenIn(realmId));
    await this.feeds.look();
  }

  /** Once a minute: stores which queues polled. Requests of queues that no longer exist end. */
  async writeActivity(): Promise<void> {
    const gone = new Set(await this.parts.activity.write());
    if (gone.size === 0) return;
    for (const queueId of gone) {
      this.openings.deleted(queueId);
      this.streams.end(queueId, 'queue_gone');
    }
    for (const feed of this.feeds.all) {
      for (const [queueId, poll] of feed.polls) if (gone.has(queueId)) poll.refuse(reject.badQueueId(queueId));
    }
  }

  /** Answers every poll with a heartbeat, ends every stream, and accepts no further requests. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const unsubscribe of this.subscriptions) unsubscribe();
    this.streams.endAll('unavailable');
    for (const feed of this.feeds.all) for (const poll of feed.polls.values()) feed.heartbeat(poll);
    await this.settled();
    await this.writeActivity();
  }

  /** Resolves when no read is in progress. */
  async settled(): Promise<void> {
    await this.feeds.settled();
  }

  /** @param join runs in the same turn as the last check of the queue */
  private begin<Begun extends object>(
    by: Reader,
    request: PollRequest,
    join: (poll: Poll, feed: RealmFeed) => Begun,
  ): Promise<Begun> {
    return this.openings.run(request.queueId, async (opening) => {
      if (this.isClosing) throw new ShuttingDown();
      const queue = await this.parts.queues.find(by.realmId, request.queueId);
      if (queue?.userId !== by.userId) throw reject.badQueueId(request.queueId);
      const poll = await this.pollOf(queue, request);
      const feed = await this.feeds.open(by.realmId);
      if (this.isClosing) throw new ShuttingDown();
      if (opening.isDeleted) throw reject.badQueueId(request.queueId);
      return join(poll, feed);
    });
  }

  /** @throws Rejected for a cursor that the log has not reached: it comes from a history that a restore took back */
  private async pollOf(queue: ClientQueue, { lastEventId, dontBlock }: PollRequest): Promise<Poll> {
    const { realmId, registered } = queue;
    const cursor = further(cursorOf(lastEventId, registered), this.parts.activity.servedBefore(queue));
    const isBeyond = positionOf(cursor.id) > (this.feeds.get(realmId)?.reached ?? 0);
    const head = isBeyond || dontBlock ? await this.feeds.headOf(realmId) : null;
    if (head !== null && positionOf(cursor.id) > head) throw reject.badQueueId(queue.id);
    return new Poll(queue, cursor, this.deadline(dontBlock), dontBlock ? head : null);
  }

  private deadline(dontBlock: boolean): Instant {
    const patience = dontBlock ? GRACE_MS : HEARTBEAT_MS + randomInt(HEARTBEAT_SPREAD_MS + 1);
    return (this.parts.clock.now() + patience) as Instant;
  }

  /** The newest request keeps the queue. */
  private takeOver({ id, realmId }: ClientQueue, feed: RealmFeed): void {
    this.streams.end(id, 'replaced');
    feed.polls.get(id)?.answer([]);
    this.ownership.claim(realmId, id);
  }

  private wait(poll: Poll, feed: RealmFeed): void {
    this.parts.activity.polled(poll.queue, this.parts.clock.now(), poll.cursor);
    feed.join(poll);
  }

  private streamClosed(queue: ClientQueue): void {
    this.streams.remove(queue);
    this.ownership.release(queue.realmId, queue.id);
  }

  /** The part of a stream that begins at a cursor. */
  private continued(queue: ClientQueue, from: Cursor, feed: RealmFeed): Poll {
    const poll = new Poll(queue, from, this.deadline(false), null, true);
    this.wait(poll, feed);
    return poll;
  }

  /**
   * The client continued in another process, so what is known here of its progress is outdated. A poll that does not
   * block keeps its own answer, which follows soon.
   */
  private ownershipLost(realmId: RealmId, queueId: string): void {
    this.parts.activity.forget(queueId);
    this.parts.signalCursors.forget(queueId);
    this.streams.end(queueId, 'replaced');
    const poll = this.feeds.get(realmId)?.polls.get(queueId);
    if (poll?.until === null) poll.answer([]);
  }

  /** Wake-ups, and the claims of other processes. */
  private signalsLost(): void {
    void this.feeds.look().catch(() => undefined);
    for (const { realmId, id } of this.streams.queues) this.ownership.claimAgain(realmId, id);
  }

  private finish(realmId: RealmId, queueId: string): void {
    this.openings.deleted(queueId);
    this.streams.end(queueId, 'queue_gone');
    this.feeds.get(realmId)?.polls.get(queueId)?.answer([]);
  }
}
