import type { RealmId } from '../../domain/index';
import type { Append } from './append';
import type { Plan } from './batch';

/** How often in a row a realm is passed over before it is waited for. */
const MAX_PASSES = 8;
/** Batches for which a lane counts on meeting the others again. */
const REMEMBERED = 32;

/**
 * Whether others write to the same realms as a lane, at the same time. Passing over is right where they hold a few heads
 * of a batch. Where they hold most of them it leaves small batches, and batches without anything: then processes take
 * turns. All of them wait for the same realm, the lowest, while they hold nothing, and whoever gets it finds the others
 * free as well.
 */
export class Contention {
  /** How often in a row a realm was passed over. */
  private readonly passes = new Map<RealmId, number>();
  private starved: RealmId | null = null;
  private remembered = 0;

  /** Others held most of what a batch of late wanted to write. */
  get isHigh(): boolean {
    return this.remembered > 0;
  }

  /** The realm that the batch waits for, a moment, before it locks what else is free; null when it waits for none. */
  waitsFor(batch: readonly Append[]): RealmId | null {
    const { starved } = this;
    if (starved === null && !this.isHigh) return null;
    this.starved = null;
    const realms = new Set(batch.map(({ realmId }) => realmId));
    if (starved !== null && realms.has(starved)) return starved;
    return this.isHigh && realms.size > 1 ? (Math.min(...realms) as RealmId) : null;
  }

  /** After each batch. */
  note({ heads, passedOver }: Plan): void {
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
