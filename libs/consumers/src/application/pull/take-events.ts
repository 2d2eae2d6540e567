import { Kernel, Overloaded } from '@annals/kernel';
import type { Instant, Position } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { Lease, Offers } from '../../domain/offers';
import { ConsumerRights } from '../../read/consumer-rights';
import type { ConsumerRow } from '../../read/consumer-row';
import type { LogOffset } from '../../read/offsets';
import { endOf, offsetOf } from '../../read/offsets';
import type { ConsumerEvent } from '../../read/reading/cloud-event';
import type { ConsumerPage } from '../../read/reading/consumer-page';
import { ConsumerReader, REFUSED } from '../../read/reading/consumer-reader';
import type { LockedConsumer } from './locked-consumers';
import { LockedConsumers } from './locked-consumers';

/** A worker that asks for events. */
export interface TakeRequest {
  /** Its name, or a stream of it (`streamHolder`). */
  readonly worker: string;
  /** Most events. */
  readonly limit: number;
  /** Most events that it may have at once. Without it, only those of all workers are limited. */
  readonly mostHeld?: number;
  readonly leaseMs: number;
  /** Aborts when the worker disconnects. A lease that nobody knows of would count as a failed attempt. */
  readonly disconnected?: AbortSignal;
}

/** The answer to a worker. */
export interface TakenEvents {
  readonly events: readonly ConsumerEvent[];
  /** How far the consumer has read. */
  readonly readTo: LogOffset;
  readonly head: Position;
  /** How many events are leased to the worker. */
  readonly held: number;
  /** Whether asking again at once may give events. */
  readonly hasMore: boolean;
  /** When a lease or a waiting ends. Null if none does. */
  readonly nextDue: Instant | null;
}

/** Events of one consumer that may be under way: leased, or waiting for another try. */
const MOST_UNDER_WAY = 20_000;
/** Pages that are read for one answer, since events of blocked keys do not count. */
const MOST_PAGES = 4;
/** Events that are looked at for freed keys in one answer. */
const FREED_PAGE = 2_000;
/** Freed keys that are further back are read apart from the others, which need not wait for them. */
const NEAR = offsetOf(20_000);

/** Offers events to workers (contract/feed.md section 4). */
@Injectable()
export class TakeEvents {
  constructor(
    private readonly kernel: Kernel,
    private readonly reader: ConsumerReader,
    private readonly rights: ConsumerRights,
    private readonly locked: LockedConsumers,
  ) {}

  /** Leases the next events to a worker. @throws Rejected UNAUTHORIZED_AUDIT when the owner may not read them */
  async take(consumer: ConsumerRow, request: TakeRequest): Promise<TakenEvents> {
    await this.rights.ensure(consumer);
    const head = (await this.kernel.events.heads([consumer.realmId])).get(consumer.realmId) ?? (0 as Position);
    return this.locked.change(consumer, async (locked) => {
      const now = this.kernel.clock.now();
      locked.offers.lapse(now);
      const answer = new Answer(consumer, locked, head, request, now);
      const isAsked = !consumer.isPaused && !request.disconnected?.aborted;
      if (isAsked && answer.room > 0) await this.fill(answer);
      locked.isBehind = locked.readTo < endOf(head);
      return {
        events: answer.events,
        readTo: locked.readTo,
        head,
        held: locked.offers.leasedTo(request.worker),
        hasMore: !consumer.isPaused && answer.mayContinue,
        nextDue: locked.offers.nextDue,
      };
    });
  }

  private async fill(answer: Answer): Promise<void> {
    await this.offerAgain(answer);
    await this.offerFreed(answer);
    await this.offerNew(answer);
  }

  /** Events that were offered before and may be tried again. */
  private async offerAgain(answer: Answer): Promise<void> {
    const due = answer.offers.due(answer.now, answer.room, answer.request.worker);
    if (due.length === 0) return;
    const offsets = due.map(({ offset }) => offset).sort((one, other) => one - other);
    const found = await this.readable(answer.consumer, await this.reader.at(answer.consumer, offsets));
    const events = new Map(found.map((event) => [event.offset, event]));
    for (const { offset } of due) {
      const event = events.get(offset);
      if (event) answer.add(event);
      else answer.offers.drop(offset);
    }
  }

  /** Events that were passed because of an earlier one of their key, which is settled now. */
  private async offerFreed(answer: Answer): Promise<void> {
    const { readTo } = answer.locked;
    const freed = [...answer.offers.freedKeys()];
    const near = freed.filter(([, after]) => after >= readTo - NEAR);
    const far = freed.filter(([, after]) => after < readTo - NEAR);
    for (const keys of [near, far]) if (keys.length > 0) await this.offerPassed(answer, new Map(keys));
  }

  private async offerPassed(answer: Answer, keys: ReadonlyMap<string, LogOffset>): Promise<void> {
    const upTo = answer.locked.readTo;
    const from = [...keys.values()].reduce((least, offset) => Math.min(least, offset), Infinity);
    const page = await this.page(answer, from, upTo, FREED_PAGE);
    const full = new Set<string>();
    for (const event of page.events) {
      const after = keys.get(event.key) ?? Infinity;
      if (event.offset <= after || full.has(event.key)) continue;
      if (answer.roomForMore > 0) {
        answer.add(event);
        continue;
      }
      full.add(event.key);
      answer.offers.hold(event.key, event.offset - 1);
    }
    for (const [key, after] of keys) {
      if (full.has(key)) continue;
      if (page.through >= upTo) answer.offers.release(key);
      else answer.offers.hold(key, Math.max(after, page.through));
    }
  }

  private async offerNew(answer: Answer): Promise<void> {
    const { offers, locked } = answer;
    const upTo = endOf(answer.head);
    for (let pages = 0; pages < MOST_PAGES && answer.roomForMore > 0 && locked.readTo < upTo; pages += 1) {
      const page = await this.page(answer, locked.readTo, upTo, answer.roomForMore);
      for (const event of page.events) {
        if (offers.isHeld(event.key)) continue;
        if (offers.isOpen(event.key)) answer.add(event);
        else offers.hold(event.key, event.offset - 1);
      }
      locked.readTo = page.through;
      if (answer.isStopped) return;
    }
  }

  private async page(answer: Answer, after: LogOffset, upTo: LogOffset, limit: number): Promise<ConsumerPage> {
    const { consumer } = answer;
    const page = await this.readable(consumer, await this.reader.page(consumer, { after, upTo, limit }));
    if (page.error) this.stopped(answer, page);
    return page;
  }

  /** @throws Rejected if the right was lost since it was checked. The transaction changes nothing then */
  private async readable<T>(consumer: ConsumerRow, read: T | typeof REFUSED): Promise<T> {
    if (read !== REFUSED) return read;
    await this.rights.ensure(consumer);
    throw new Overloaded('the rights of the owner have changed; please try again');
  }

  private stopped(answer: Answer, { error, through }: ConsumerPage): void {
    const { realmId, id } = answer.consumer;
    answer.isStopped = true;
    const where = { err: error, realm: realmId, consumer: id, offset: through };
    this.kernel.options.log.error(where, 'an event cannot be offered: the consumer waits for a newer release');
  }
}

/** The answer to a worker while it is filled. */
class Answer {
  readonly events: ConsumerEvent[] = [];
  /** The log continues with an event that only a newer release knows. */
  isStopped = false;
  private readonly limit: number;
  private readonly lease: Lease;

  constructor(
    readonly consumer: ConsumerRow,
    readonly locked: LockedConsumer,
    readonly head: Position,
    readonly request: TakeRequest,
    readonly now: Instant,
  ) {
    const { offers } = locked;
    const { worker, limit, leaseMs, mostHeld = Infinity } = request;
    this.limit = Math.max(0, Math.min(limit, mostHeld - offers.leasedTo(worker)));
    this.lease = { worker, now: offers.nextSince(worker, now), until: (now + leaseMs) as Instant };
  }

  get offers(): Offers {
    return this.locked.offers;
  }

  /** How many events fit in. */
  get room(): number {
    return this.limit - this.events.length;
  }

  /** How many events fit in that were not offered before. */
  get roomForMore(): number {
    return Math.max(0, Math.min(this.room, MOST_UNDER_WAY - this.offers.underWay));
  }

  /** Whether another answer would have more, or get further. */
  get mayContinue(): boolean {
    if (this.isStopped || this.limit === 0 || this.offers.underWay >= MOST_UNDER_WAY) return false;
    return this.locked.isBehind || this.offers.freedKeys().size > 0;
  }

  add(event: ConsumerEvent): void {
    this.offers.lease(event.offset, event.key, this.lease);
    this.events.push(event);
  }
}
