import type { RealmId } from '../../domain/index';
import type { Append } from './append';
import type { BatchPlan } from './batch';

/** How often in a row a realm is passed over before the lane waits for it. */
const MAX_PASSES = 8;
/** For so many batches a lane expects contention again. */
const REMEMBERED = 32;

/**
 * Whether other processes write to the same realms as a lane, at the same time. A lane passes over realms whose heads
 * are held. That is right if others hold a few heads of a batch. If they hold most of them, it leads to small or empty
 * batches, so the processes take turns: all of them wait for the same realm, the lowest, while they hold nothing, and
 * the one that gets it finds the others free as well.
 */
export class Contention {
  /** How often in a row a realm was passed over. */
  private readonly passes = new Map<RealmId, number>();
  private starved: RealmId | null = null;
  private remembered = 0;

  /** Others held most realms of a recent batch. */
  get isHigh(): boolean {
    return this.remembered > 0;
  }

  /** The realm that the batch waits for shortly, before it locks those that are free. Null if it waits for none. */
  waitsFor(batch: readonly Append[]): RealmId | null {
    const { starved } = this;
    if (starved === null && !this.isHigh) return null;
    this.starved = null;
    const realms = new Set(batch.map(({ realmId }) => realmId));
    if (starved !== null && realms.has(starved)) return starved;
    return this.isHigh && realms.size > 1 ? (Math.min(...realms) as RealmId) : null;
  }

  /** To be called after each batch. */
  note({ heads, passedOver }: BatchPlan): void {
    for (const realmId of heads.keys()) this.passes.delete(realmId);
    const busy = new Set(passedOver.map(({ realmId }) => realmId));
    for (const realmId of busy) {
      const passes = (this.passes.get(realmId) ?? 0) + 1;
      this.passes.set(realmId, passes);
      if (passes >= MAX_PASSES) this.starved = realmId;
    }
    if (busy.size > 1 && busy.size > heads.size) this.remembered = REMEMBERED;
    else if (this.remembered > 0) this.remembered--;
  }
}
