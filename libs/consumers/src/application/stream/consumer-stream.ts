import type { Actor, Instant } from '@annals/kernel/domain';
import type { ConsumerRow } from '../../read/consumer-row';
import type { ConsumerEvent } from '../../read/reading/cloud-event';
import { streamHolder } from '../../domain/holder';
import type { PullRequest } from '../pull/pull-polls';
import type { TakenEvents } from '../pull/take-events';
import type { ConsumerStreamEnd } from './stream-end';
import { endAfter } from './stream-end';

/** A stream that begins. */
export interface BegunStream {
  readonly id: string;
  readonly by: Actor;
  readonly consumer: Pick<ConsumerRow, 'realmId' | 'id' | 'name'>;
  readonly worker: string;
  /** Most events that its client may have without an acknowledgement. */
  readonly mostHeld: number;
  /** How long it waits then for one. */
  readonly patienceMs: number;
}

/** What a stream needs of the process. */
interface StreamHome {
  /** The next events of the consumer. Waits until there are some. */
  pull(by: Actor, request: PullRequest): Promise<TakenEvents>;
  /** It cannot continue. */
  failed(stream: ConsumerStream, error: unknown): void;
  /** It has ended and takes nothing more. */
  ended(stream: ConsumerStream): Promise<void>;
}

/** Leases of a stream, which are prolonged while it lasts. If its process dies, others get its events after this time. */
export const STREAM_LEASE_MS = 60_000;
/** Events that are taken at once, so that a slow client needs little memory. */
const BATCH = 100;
const WAIT_MS = 90_000;

/**
 * One stream of a worker: pulls of one consumer, one after the other. The next pull begins when the client has taken the
 * events of the one before, so nothing is leased for a client that does not read.
 */
export class ConsumerStream implements AsyncIterableIterator<readonly ConsumerEvent[]> {
  /** Who has its leases. */
  readonly holder: string;
  /** When its leases were prolonged, and its rights checked. */
  lookedAt: Instant;
  /** Leases after the last pull. Its client may have acknowledged some of them since. */
  held = 0;
  private reason: ConsumerStreamEnd | null = null;
  private readonly ending = new AbortController();
  private pulling: Promise<unknown> = Promise.resolve();
  private ended: Promise<void> = Promise.resolve();

  constructor(
    readonly begun: BegunStream,
    private readonly home: StreamHome,
    now: Instant,
  ) {
    this.holder = streamHolder(begun.worker, begun.id);
    this.lookedAt = now;
  }

  /** Why it has ended. Null until then. */
  get end(): ConsumerStreamEnd | null {
    return this.reason;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next events, at least one. */
  async next(): Promise<IteratorResult<readonly ConsumerEvent[], undefined>> {
    while (this.reason === null) {
      const events = await this.pull();
      // Events that were leased while it ended are given back.
      if (events.length > 0 && this.end === null) return { done: false, value: events };
    }
    return { done: true, value: undefined };
  }

  /** Its reader wants no more. */
  async return(): Promise<IteratorResult<readonly ConsumerEvent[], undefined>> {
    void this.close('unavailable');
    return { done: true, value: undefined };
  }

  /** Ends it. Resolves when its leases are given back. */
  close(reason: ConsumerStreamEnd): Promise<void> {
    if (this.reason === null) {
      this.reason = reason;
      this.ending.abort();
      this.ended = this.pulling.then(() => this.home.ended(this));
    }
    return this.ended;
  }

  private async pull(): Promise<readonly ConsumerEvent[]> {
    const { by, consumer, mostHeld, patienceMs } = this.begun;
    const isFull = this.held >= mostHeld;
    const pulling = this.home.pull(by, {
      consumer: consumer.name,
      worker: this.holder,
      limit: BATCH,
      mostHeld,
      leaseMs: STREAM_LEASE_MS,
      waitMs: isFull ? patienceMs : WAIT_MS,
      disconnected: this.ending.signal,
    });
    this.pulling = pulling.catch(() => undefined);
    try {
      const { events, held } = await pulling;
      this.held = held;
      if (isFull && held >= mostHeld && events.length === 0) void this.close('unacknowledged');
      // An answer may be in the order of its topics. Its events are sent in that of the log (`StreamLeases`).
      return [...events].sort((one, other) => one.offset - other.offset);
    } catch (error) {
      this.home.failed(this, error);
      void this.close(endAfter(error));
      return [];
    }
  }
}
