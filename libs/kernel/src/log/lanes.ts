import type { RealmId } from '../domain/index';
import type { Append, Appended } from './append';
import type { LaneOptions } from './lane-options';
import { Lane } from './lane';

/** The lanes of a process: each realm has its own for as long as the process lives. */
export class Lanes {
  /** Hears how many seconds each append took, be it stored or refused; for metrics. */
  onSettled: ((seconds: number) => void) | null = null;
  private readonly lanes: readonly Lane[];

  /** @param count how many connections write at once; two are enough for many realms */
  constructor(count: number, options: LaneOptions) {
    this.lanes = Array.from({ length: count }, () => new Lane(options));
  }

  get waiting(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  }

  /**
   * @throws Conflict when what the append rests on no longer holds
   * @throws Overloaded when too much is waiting, or this code may not write yet
   */
  async append(append: Append): Promise<Appended> {
    const began = performance.now();
    try {
      return await this.of(append.realmId).append(append);
    } finally {
      this.onSettled?.((performance.now() - began) / 1_000);
    }
  }

  /** Writes what is waiting, then ends the connections. */
  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  private of(realmId: RealmId): Lane {
    const lane = this.lanes[realmId % this.lanes.length];
    if (!lane) throw new Error('there are no lanes');
    return lane;
  }
}
