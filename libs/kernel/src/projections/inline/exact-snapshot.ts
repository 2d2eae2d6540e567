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

/** What was read; null where read models of this code were behind the head on the snapshot. */
type Found<T> = { readonly value: T } | null;

/**
 * Runs reads on one snapshot. Where another version of read models is live, a snapshot may hold what its processes have
 * just written and this version has not taken. Then it is taken while the realm's writers wait, and they wait until the
 * next snapshot is there.
 */
export class ExactSnapshots {
  /** Who keeps writers out holds one connection and needs another: of these there is one at a time. */
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

  /** Resolves when the snapshot is there and the writers go on. */
  private async onHeldSnapshot<T>(realmId: RealmId, read: Read<T>): Promise<{ readonly result: Promise<Found<T>> }> {
    const { database, events, keepUp } = this.deps;
    // Nearly all of it, while everybody goes on.
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
      const { keptUp } = await models.now(client, await editionOf(client));
      const positions = keptUp.length === 0 ? null : await positionsOf(client, realmId, keptUp);
      if (positions && keptUp.some(({ generation }) => (positions.get(generation) ?? 0) < head)) return null;
      return { value: await read(client, head) };
    });
  }
}
