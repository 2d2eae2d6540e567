import type { RealmId } from '../../domain/index';
import type { ParkedEvent } from '../checkpoints/checkpoints';
import type { FollowingDeps } from './following';
import { Following } from './following';
import type { Consumer } from './page-follower';
import type { Followable, ProjectionRow } from '../versions/projection-store';
import { liveGeneration } from '../versions/projection-store';

export interface FollowedStatus {
  readonly name: string;
  /** Null while another version is live, or none. */
  readonly generation: number | null;
  /** Number of events that it still has to apply, of all realms that this process follows. */
  readonly lag: number;
  readonly realmsBehind: number;
  readonly parked: readonly { readonly realmId: RealmId; readonly position: number; readonly error: string }[];
  /** Realms whose last try failed for a temporary reason. */
  readonly failing: readonly { readonly realmId: RealmId; readonly error: string }[];
  /** Realms with a checkpoint beyond the last read heads: those of a lagging replica, or after a restore. */
  readonly ahead: readonly RealmId[];
}

/** A projection or reader with its live generation. */
export class Followed {
  /** Null while another version is live, or none. */
  current: Following | null = null;

  constructor(
    private readonly deps: FollowingDeps,
    readonly consumer: Consumer,
    private readonly declared: Followable,
  ) {}

  /** Name and version, to compare processes. */
  get label(): string {
    return `${this.consumer.name}:${this.declared.version}`;
  }

  /** Takes over the live generations, and the events that other processes parked or resumed. */
  refresh(rows: ReadonlyMap<string, ProjectionRow>, parked: readonly ParkedEvent[]): void {
    const row = rows.get(this.consumer.name);
    const live = liveGeneration(row, this.declared);
    if (row === undefined || live === null) {
      this.current = null;
      return;
    }
    const generation = { projection: row.name, generation: live };
    if (this.current?.generation.generation !== live)
      this.current = new Following(this.deps, this.consumer, generation);
    const mine = parked.filter((one) => one.projection === row.name && one.generation === live);
    this.current.parked = new Map(mine.map((one) => [one.realmId, one]));
  }

  status(heads: Iterable<readonly [RealmId, number]>): FollowedStatus {
    const { current } = this;
    const gaps = [...heads].map(([realmId, head]) => [realmId, head - (current?.seen(realmId) ?? 0)] as const);
    const behind = gaps.filter(([, gap]) => gap > 0);
    return {
      name: this.consumer.name,
      generation: current?.generation.generation ?? null,
      lag: behind.reduce((sum, [, gap]) => sum + gap, 0),
      realmsBehind: behind.length,
      parked: [...(current?.parked ?? [])].map(([realmId, { position, error }]) => ({ realmId, position, error })),
      failing: current?.failing ?? [],
      ahead: gaps.filter(([, gap]) => gap < 0).map(([realmId]) => realmId),
    };
  }
}
