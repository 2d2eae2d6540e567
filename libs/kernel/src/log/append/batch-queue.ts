import type { RealmId } from '../../domain/index';
import type { Append } from './append';
import { bytesOf } from './append';

/** Most commands in one transaction. */
const MAX_COMMANDS = 512;
/** Bytes of event text, as UTF-8, after which a transaction is full. */
const MAX_BYTES = 1_000_000;
/** An append that changes more rows than this is written in a transaction of its own. */
const HEAVY = 1_000;
export const isHeavy = ({ weight }: Append): boolean => weight > HEAVY;
/** Most appends that wait, per realm and in all. Further ones are refused at once. */
const MAX_WAITING_PER_REALM = 10_000;
const MAX_WAITING = 20_000;

/** The appends that wait for a lane: in order of arrival within a realm, one of each realm in turn. */
export class BatchQueue<T> {
  private readonly realms = new Map<RealmId, T[]>();
  private readonly held = new Set<RealmId>();
  private waiting = 0;

  constructor(private readonly appendOf: (item: T) => Append) {}

  get size(): number {
    return this.waiting;
  }

  /** How many of them may be taken now. */
  get ready(): number {
    let held = 0;
    for (const realmId of this.held) held += this.realms.get(realmId)?.length ?? 0;
    return this.waiting - held;
  }

  /** Blocks a realm: nothing of it is taken until it is freed. */
  hold(realmId: RealmId): void {
    this.held.add(realmId);
  }

  free(realmId: RealmId): void {
    this.held.delete(realmId);
  }

  isHeld(realmId: RealmId): boolean {
    return this.held.has(realmId);
  }

  /** False when the queue is full. */
  offer(item: T): boolean {
    const { realmId } = this.appendOf(item);
    const queue = this.realms.get(realmId);
    if (this.waiting >= MAX_WAITING || (queue && queue.length >= MAX_WAITING_PER_REALM)) return false;
    if (queue) queue.push(item);
    else this.realms.set(realmId, [item]);
    this.waiting++;
    return true;
  }

  /** In front of everything else of its realm, in the given order. */
  putBack(items: readonly T[]): void {
    for (const item of [...items].reverse()) {
      const { realmId } = this.appendOf(item);
      const queue = this.realms.get(realmId);
      if (queue) queue.unshift(item);
      else this.realms.set(realmId, [item]);
      this.waiting++;
    }
  }

  /**
   * The next batch: one append of each realm in turn, until the batch is full.
   *
   * @param most appends it may have at most, if that is fewer than fit
   */
  take(most = MAX_COMMANDS): T[] {
    return this.takeOf(new Set([...this.realms.keys()].filter((realmId) => !this.held.has(realmId))), most);
  }

  /** The next batch of one realm alone. */
  takeRealm(realmId: RealmId): T[] {
    return this.takeOf(new Set([realmId]), MAX_COMMANDS);
  }

  private takeOf(open: Set<RealmId>, most: number): T[] {
    const limit = Math.min(most, MAX_COMMANDS);
    const batch: T[] = [];
    let bytes = 0;
    const taken = new Map<RealmId, number>();
    while (open.size > 0 && batch.length < limit && bytes < MAX_BYTES) {
      for (const realmId of open) {
        const index = taken.get(realmId) ?? 0;
        const item = this.realms.get(realmId)?.[index];
        const heavy = item !== undefined && isHeavy(this.appendOf(item));
        if (item === undefined || (heavy && batch.length > 0)) {
          open.delete(realmId);
          continue;
        }
        batch.push(item);
        taken.set(realmId, index + 1);
        if (heavy) return this.remove(batch, taken);
        for (const event of this.appendOf(item).events) bytes += bytesOf(event);
        if (batch.length >= limit || bytes >= MAX_BYTES) break;
      }
    }
    return this.remove(batch, taken);
  }

  private remove(batch: T[], taken: ReadonlyMap<RealmId, number>): T[] {
    for (const [realmId, count] of taken) {
      const queue = this.realms.get(realmId);
      queue?.splice(0, count);
      // Served realms go to the end, so that the next batch begins with the others.
      this.realms.delete(realmId);
      if (queue && queue.length > 0) this.realms.set(realmId, queue);
    }
    this.waiting -= batch.length;
    return batch;
  }
}
