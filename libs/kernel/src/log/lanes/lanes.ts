import type { RealmId } from '../../domain/index';
import type { Append, Appended } from '../append/append';
import type { LaneOptions } from './lane-options';
import { Lane } from './lane';
import { laneClient } from './lane-connection';
import { refusesWrites } from '../../database/sql-states';
import { WriteTrouble } from './write-trouble';

/** The lanes of a process. Each realm has its own for as long as the process lives. */
export class Lanes {
  /** Receives how long each append took, in s, stored or refused. For metrics. */
  onSettled: ((seconds: number) => void) | null = null;
  private readonly lanes: readonly Lane[];
  private readonly writeTrouble: WriteTrouble;

  /** @param count of connections that write at once */
  constructor(count: number, options: LaneOptions) {
    const { connectionString, log } = options;
    this.writeTrouble = new WriteTrouble(() => laneClient(connectionString), log);
    this.lanes = Array.from({ length: count }, () => new Lane(options, this.writeTrouble));
  }

  /** Why nothing can be written at present (`the database refuses writes: …`). Null in normal operation. */
  get trouble(): string | null {
    return this.writeTrouble.reason;
  }

  /**
   * Receives errors of other connections of the process: a database that refuses their writes refuses those of lanes.
   */
  errorReported(error: Error): void {
    if (refusesWrites(error)) this.writeTrouble.refused(error);
  }

  get waiting(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  }

  /**
   * @throws Conflict when what the append depends on no longer holds
   * @throws Overloaded when too much is waiting, this code may not write yet, or the database refuses writes
   */
  async append(append: Append): Promise<Appended> {
    const began = performance.now();
    try {
      return await this.of(append.realmId).append(append);
    } finally {
      this.onSettled?.((performance.now() - began) / 1_000);
    }
  }

  /** Writes the waiting appends, then ends the connections. */
  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
    await this.writeTrouble.close();
  }

  private of(realmId: RealmId): Lane {
    const lane = this.lanes[realmId % this.lanes.length];
    if (!lane) throw new Error('there are no lanes');
    return lane;
  }
}
