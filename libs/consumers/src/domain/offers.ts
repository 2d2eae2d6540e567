import type { Instant } from '@annals/kernel/domain';
import { isStreamOf, workerOf } from './holder';

/** An event that failed so often is parked (contract/feed.md section 4). */
export const MAX_ATTEMPTS = 10;

/**
 * An event that was offered and is neither acknowledged nor skipped: leased to a worker until a time, waiting until one,
 * or parked.
 */
export interface Offer {
  /** Its offset in the log. */
  readonly offset: number;
  /** Its partition key. */
  readonly key: string;
  readonly state: 'leased' | 'waiting' | 'parked';
  /** Who has it leased, or had it in a stream that has ended: a worker, or a stream of one (`streamHolder`). */
  readonly worker: string;
  /** Since when it is in its state. Of what a stream sent: when it was leased, so that their order is known. */
  readonly since: Instant;
  /** When the lease ends, or the waiting. Of no meaning when it is parked. */
  readonly until: Instant;
  /** How often it failed: a lease lapsed, or the worker asked for another try. */
  readonly attempts: number;
}

/** What is stored of a consumer's offers. */
export interface OfferState {
  /** Those that are not parked. */
  readonly offers: readonly Offer[];
  readonly parkedKeys: readonly string[];
  /** Keys with events that were passed and not offered, and the offset after which these are. */
  readonly heldKeys: ReadonlyMap<string, number>;
}

/** What became of the offers. */
export interface OfferChanges {
  readonly saved: readonly Offer[];
  readonly removed: readonly number[];
  readonly heldKeys: ReadonlyMap<string, number>;
  readonly releasedKeys: readonly string[];
}

/** Who gets events, and for how long. */
export interface Lease {
  /** A worker, or a stream of one. */
  readonly worker: string;
  readonly now: Instant;
  readonly until: Instant;
}

/**
 * The offers of a consumer. It keeps the order of each key: while an event of a key is leased, waiting or parked, later
 * ones are offered in no other answer. Pure: it is loaded, changed and saved in one transaction.
 */
export class Offers {
  private readonly offers: Map<number, Offer>;
  private readonly byKey = new Map<string, Set<number>>();
  private readonly parkedKeys: Set<string>;
  private readonly heldKeys: Map<string, number>;
  /** Offsets that are leased in this answer. */
  private readonly leasedNow = new Set<number>();
  private readonly touched = new Set<number>();
  private readonly touchedKeys = new Set<string>();

  constructor({ offers, parkedKeys, heldKeys }: OfferState) {
    this.offers = new Map();
    this.parkedKeys = new Set(parkedKeys);
    this.heldKeys = new Map(heldKeys);
    for (const offer of offers) this.set(offer);
  }

  /** How many events are leased, or wait for another try. */
  get underWay(): number {
    return [...this.offers.values()].filter(({ state }) => state !== 'parked').length;
  }

  /** How many events a worker, or one stream of it, has leased. */
  leasedTo(holder: string): number {
    return this.where(({ state, worker }) => state === 'leased' && worker === holder).length;
  }

  /** The time of a new lease, which is later than those that the holder has. */
  nextSince(holder: string, now: Instant): Instant {
    const held = this.where(({ worker }) => worker === holder);
    return held.reduce((latest, { since }) => (since < latest ? latest : ((since + 1) as Instant)), now);
  }

  /** The offers of which something is true, in the order of the log. */
  where(isMeant: (offer: Offer) => boolean): Offer[] {
    return this.inOrder().filter(isMeant);
  }

  /** An offer has another lease or waiting. */
  replace(offer: Offer): void {
    this.save(offer);
  }

  /** When the next lease or waiting ends. Null if nothing ends. */
  get nextDue(): Instant | null {
    const ending = [...this.offers.values()].filter(({ state }) => state !== 'parked');
    return ending.reduce<Instant | null>((least, { until }) => (least === null || until < least ? until : least), null);
  }

  /** Leases that have run out are tried again. Of a key only the first of them counts as failed. */
  lapse(now: Instant): void {
    for (const { offset } of this.inOrder()) {
      const offer = this.offers.get(offset);
      if (offer?.state === 'leased' && offer.until <= now) this.fail(offer, now, now);
    }
  }

  /**
   * Waiting events that may be offered now, in the order of each key.
   *
   * @param holder who asks. What a stream of the same worker gave back does not wait for it
   */
  due(now: Instant, limit: number, holder = ''): Offer[] {
    const worker = workerOf(holder);
    const due: Offer[] = [];
    for (const key of new Set(this.inOrder().map((offer) => offer.key))) {
      const its = this.ofKey(key);
      if (this.parkedKeys.has(key) || its.some(({ state }) => state !== 'waiting')) continue;
      const first = its.findIndex((offer) => offer.until > now && !isStreamOf(offer.worker, worker));
      due.push(...(first < 0 ? its : its.slice(0, first)));
      if (due.length >= limit) break;
    }
    return due.slice(0, limit);
  }

  /** Whether the next event of a key may be in this answer: everything before it is settled, or in the answer too. */
  isOpen(key: string): boolean {
    if (this.parkedKeys.has(key)) return false;
    for (const offset of this.byKey.get(key) ?? []) if (!this.leasedNow.has(offset)) return false;
    return true;
  }

  /** Adds an event to the answer. */
  lease(offset: number, key: string, { worker, now, until }: Lease): void {
    const attempts = this.offers.get(offset)?.attempts ?? 0;
    this.leasedNow.add(offset);
    this.save({ offset, key, state: 'leased', worker, since: now, until, attempts });
  }

  /** An event that the consumer does not get any more. */
  drop(offset: number): void {
    const offer = this.offers.get(offset);
    if (!offer) return;
    this.offers.delete(offset);
    this.byKey.get(offer.key)?.delete(offset);
    this.touched.add(offset);
  }

  /** Keys whose passed events may be offered now, with the offset after which they are. */
  freedKeys(): Map<string, number> {
    return new Map([...this.heldKeys].filter(([key]) => this.isOpen(key)));
  }

  isHeld(key: string): boolean {
    return this.heldKeys.has(key);
  }

  /** The events of a key after an offset are passed and not offered. */
  hold(key: string, after: number): void {
    this.heldKeys.set(key, after);
    this.touchedKeys.add(key);
  }

  /** No event of a key is left that was passed and not offered. */
  release(key: string): void {
    this.heldKeys.delete(key);
    this.touchedKeys.add(key);
  }

  /** The offsets of these that are not leased to a worker, or to a stream of it. */
  notLeased(worker: string, offsets: readonly number[]): number[] {
    return offsets.filter((offset) => !this.isLeasedTo(worker, offset));
  }

  /** The offsets up to another one that are leased to a worker, or to a stream of it. */
  leasedThrough(worker: string, through: number): number[] {
    return this.inOrder().flatMap(({ offset }) =>
      offset <= through && this.isLeasedTo(worker, offset) ? [offset] : [],
    );
  }

  /** Settles events. */
  acknowledge(offsets: readonly number[]): void {
    for (const offset of offsets) this.drop(offset);
  }

  /** Another try, not before a time. After `MAX_ATTEMPTS` the event is parked. */
  retry(offset: number, now: Instant, at: Instant): void {
    const offer = this.offers.get(offset);
    if (offer) this.fail(offer, now, at);
  }

  park(offset: number, now: Instant): void {
    const offer = this.offers.get(offset);
    if (offer) this.parkNow(offer, now);
  }

  changes(): OfferChanges {
    const saved = [...this.touched].flatMap((offset) => this.offers.get(offset) ?? []);
    const keys = [...this.touchedKeys];
    return {
      saved,
      removed: [...this.touched].filter((offset) => !this.offers.has(offset)),
      heldKeys: new Map(keys.flatMap((key): [string, number][] => this.held(key))),
      releasedKeys: keys.filter((key) => !this.heldKeys.has(key)),
    };
  }

  private held(key: string): [string, number][] {
    const after = this.heldKeys.get(key);
    return after === undefined ? [] : [[key, after]];
  }

  private isLeasedTo(worker: string, offset: number): boolean {
    const offer = this.offers.get(offset);
    return offer?.state === 'leased' && workerOf(offer.worker) === worker;
  }

  private fail(offer: Offer, now: Instant, at: Instant): void {
    const attempts = offer.attempts + 1;
    if (attempts >= MAX_ATTEMPTS) {
      this.parkNow({ ...offer, attempts }, now);
      return;
    }
    this.save({ ...offer, state: 'waiting', worker: '', since: now, until: at, attempts });
    this.giveBack(offer, now);
  }

  private parkNow(offer: Offer, now: Instant): void {
    this.parkedKeys.add(offer.key);
    this.save({ ...offer, state: 'parked', worker: '', since: now, until: now });
    this.giveBack(offer, now);
  }

  /** Later leases of a key end with an earlier one, so that its events stay in order. They did not fail. */
  private giveBack({ key, offset }: Offer, now: Instant): void {
    for (const later of this.ofKey(key)) {
      if (later.offset <= offset || later.state !== 'leased') continue;
      this.save({ ...later, state: 'waiting', worker: '', since: now, until: now });
    }
  }

  private ofKey(key: string): Offer[] {
    const its = [...(this.byKey.get(key) ?? [])].flatMap((offset) => this.offers.get(offset) ?? []);
    return its.sort((one, other) => one.offset - other.offset);
  }

  private inOrder(): Offer[] {
    return [...this.offers.values()].sort((one, other) => one.offset - other.offset);
  }

  private save(offer: Offer): void {
    this.set(offer);
    this.touched.add(offer.offset);
  }

  private set(offer: Offer): void {
    this.offers.set(offer.offset, offer);
    const offsets = this.byKey.get(offer.key) ?? new Set();
    this.byKey.set(offer.key, offsets.add(offer.offset));
  }
}
