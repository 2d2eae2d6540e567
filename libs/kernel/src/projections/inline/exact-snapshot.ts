import type { PoolClient } from 'pg';
import type { Position, RealmId } from '../../domain/index';
import type { Database } from '../../database/database';
import { HOLDING_SQL } from '../../database/database';
import type { EventLog } from '../../log/event-log';
import { KeyedMutex } from '../../work/keyed-mutex';
import { editionOf, positionsOf } from './keep-up';
import type { KeepUp } from './keep-up';
import type { LiveModels } from './live-models';

/** Reads of one realm that must agree with each other, and with its head at that moment. */
type Read<T> = (client: PoolClient, head: Position) => Promise<T>;

interface Deps {
  readonly database: Database;
  readonly events: Pick<EventLog, 'heads' | 'lockHead'>;
  readonly models: LiveModels;
  readonly keepUp: Pick<KeepUp, 'reach'>;
}

/** The result of the reads. Null if read models of this code were behind the head on the snapshot. */
type Found<T> = { readonly value: T } | null;

/**
 * Runs reads on one snapshot. If another version of read models is live, a snapshot may contain events that its
 * processes have just written and this version has not applied. These are then applied while the realm's writers wait,
 * and the writers wait until the next snapshot exists.
 */
export class ExactSnapshots {
  /**
   * A read that blocks writers has one connection and needs another one. One such read runs at a time, so that they
   * never wait for each other's connections.
   */
  private readonly holding = new KeyedMutex();

  constructor(private readonly deps: Deps) {}

  async read<T>(realmId: RealmId, read: Read<T>): Promise<T> {
    let found = await this.onSnapshot(realmId, read);
    while (found === null) {
      const held = await this.holding.run('heads', () => this.onHeldSnapshot(realmId, read));
      found = await held.result;
    }
    return found.value;
  }

  /** Resolves when the snapshot exists and the writers continue. */
  private async onHeldSnapshot<T>(realmId: RealmId, read: Read<T>): Promise<{ readonly result: Promise<Found<T>> }> {
    const { database, events, keepUp } = this.deps;
    // Applies nearly all of it while the writers continue.
    await keepUp.reach(await events.heads([realmId]));
    return database.transaction(`BEGIN; ${HOLDING_SQL}`, async (client) => {
      await keepUp.reach(new Map([[realmId, await events.lockHead(client, realmId)]]));
      return new Promise((resolve) => {
        const result: Promise<Found<T>> = this.onSnapshot(realmId, read, () => resolve({ result }));
        result.catch(() => resolve({ result }));
      });
    });
  }

  private onSnapshot<T>(realmId: RealmId, read: Read<T>, taken = () => {}): Promise<Found<T>> {
    const { database, events, models } = this.deps;
    return database.snapshot(async (client) => {
      const head = (await events.heads([realmId], client)).get(realmId) ?? (0 as Position);
      taken();
      const { sideBySide } = await models.now(client, await editionOf(client));
      const positions = sideBySide.length === 0 ? null : await positionsOf(client, realmId, sideBySide);
      if (positions && sideBySide.some(({ generation }) => (positions.get(generation) ?? 0) < head)) return null;
      return { value: await read(client, head) };
    });
  }
}
