/** How many requests are in progress at once. */
export interface SlotLimits {
  /** Of one owner, unless it is alone. */
  readonly ofOne: number;
  /** Of all owners together. */
  readonly inAll: number;
  /** Time in ms without a request of another owner, after which an owner is alone and may have all slots. */
  readonly aloneMs: number;
  /**
   * Time in ms after which a request that is still in progress no longer counts: it waits for something else, and
   * those that wait for a slot must not wait for that.
   */
  readonly lapseMs: number;
}

/** The permission to be in progress. */
export interface Slot {
  /** The request is done, or waits for something else than this process. May be called again. */
  free(): void;
}

interface Owner<Key> {
  readonly key: Key;
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets requests begin, so many of each owner at a time. The others wait in a queue of their owner, in the order of
 * their arrival, and the queues take turns. So an owner who has room waits for at most one request of each other owner,
 * however many requests those have.
 */
export class RequestSlots<Key> {
  private readonly owners = new Map<Key, Owner<Key>>();
  /** Owners with a request that waits, and with room for it, in the order of their turns. */
  private readonly turns = new Set<Owner<Key>>();
  /** The slots that count, the oldest first, and since when, in ms of the process. */
  private readonly taken = new Map<Slot, number>();
  private timer: NodeJS.Timeout | undefined;
  /** Whose request came last, and when, in ms of the process, requests of two owners last followed each other. */
  private last: Key | undefined;
  private mixedAt = -Infinity;

  constructor(private readonly limits: SlotLimits) {}

  /** Requests that wait for a slot. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.owners.values()) count += waiting.length;
    return count;
  }

  /** Requests that have a slot which counts. */
  get inProgress(): number {
    return this.taken.size;
  }

  /** Both numbers for each owner who has a request. */
  *ofOwners(): Iterable<{ readonly key: Key; readonly inProgress: number; readonly waiting: number }> {
    for (const { key, running, waiting } of this.owners.values())
      yield { key, inProgress: running, waiting: waiting.length };
  }

  /** @returns at once, unless the owner or all owners together have too many requests in progress */
  take(key: Key): Slot | Promise<Slot> {
    const owner = this.owners.get(key) ?? { key, running: 0, waiting: [] };
    this.owners.set(key, owner);
    if (this.last !== undefined && this.last !== key) this.mixedAt = performance.now();
    this.last = key;
    const hasRoom = this.hasRoom(owner);
    if (hasRoom && owner.waiting.length === 0 && this.taken.size < this.limits.inAll) return this.begin(owner);
    return new Promise((resolve) => {
      owner.waiting.push(() => resolve(this.begin(owner)));
      this.queue(owner);
      this.watch();
    });
  }

  private hasRoom({ running }: Owner<Key>): boolean {
    const { ofOne, inAll, aloneMs } = this.limits;
    return running < ofOne || (running < inAll && performance.now() - this.mixedAt > aloneMs);
  }

  private begin(owner: Owner<Key>): Slot {
    owner.running += 1;
    const slot = { free: () => this.free(slot, owner) };
    this.taken.set(slot, performance.now());
    return slot;
  }

  private free(slot: Slot, owner: Owner<Key>): void {
    if (!this.taken.delete(slot)) return;
    owner.running -= 1;
    if (owner.waiting.length > 0) this.queue(owner);
    else if (owner.running === 0) this.owners.delete(owner.key);
    this.next();
  }

  private next(): void {
    for (const owner of this.turns) {
      if (this.taken.size >= this.limits.inAll) return;
      // At its next turn it is behind all others.
      this.turns.delete(owner);
      // It may have had room only as long as it was alone. Then it is queued again when one of its requests is done.
      if (!this.hasRoom(owner)) continue;
      owner.waiting.shift()?.();
      if (owner.waiting.length > 0) this.queue(owner);
    }
  }

  private queue(owner: Owner<Key>): void {
    if (this.hasRoom(owner)) this.turns.add(owner);
  }

  /** While requests wait, slots lapse. */
  private watch(): void {
    if (this.timer !== undefined) return;
    const [oldest] = this.taken.values();
    if (oldest === undefined) return;
    const wait = Math.max(1, oldest + this.limits.lapseMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.lapse();
    }, wait).unref();
  }

  private lapse(): void {
    const before = performance.now() - this.limits.lapseMs;
    const lapsed = [...this.taken].filter(([, since]) => since <= before);
    for (const [slot] of lapsed) slot.free();
    if (this.waiting > 0) this.watch();
  }
}
