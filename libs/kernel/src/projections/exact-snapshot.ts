import type { PoolClient } from 'pg';
import type { Position, RealmId } from '../domain/index';
import type { Database } from '../database/database';
import { HOLDING_SQL } from '../database/database';
import type { EventLog } from '../log/event-log';
import { editionOf, positionsOf } from './keep-up';
import type { KeepUp } from './keep-up';
import type { LiveModels } from './live-models';

/** Reads of one realm that must agree with each other, and with its head at that moment. */
type Read<T> = (client: PoolClient, head: Position) => Promise<T>;

interface Deps {
  readonly database: Database;
  readonly events: EventLog;
  readonly models: LiveModels;
  readonly keepUp: KeepUp;
}

/**
 * Runs reads on one snapshot. Where another version of read models is live, a snapshot may hold what its processes have
 * just written and this version has not taken; then it is taken, and read, while the realm's writers wait.
 */
export async function exactSnapshot<T>(deps: Deps, realmId: RealmId, read: Read<T>): Promise<T> {
  const { database, events, models, keepUp } = deps;
  const found = await database.snapshot(async (client) => {
    const head = (await events.heads([realmId], client)).get(realmId) ?? (0 as Position);
    const { keptUp } = await models.now(client, await editionOf(client));
    const positions = keptUp.length === 0 ? null : await positionsOf(client, realmId, keptUp);
    if (positions && keptUp.some(({ generation }) => (positions.get(generation) ?? 0) < head)) return null;
    return { value: await read(client, head) };
  });
  if (found !== null) return found.value;
  return database.transaction(`BEGIN; ${HOLDING_SQL}`, async (client) => {
    const head = await events.lockHead(client, realmId);
    await keepUp.reachHeads(client, new Map([[realmId, head]]));
    return read(client, head);
  });
}
