import { randomUUID } from 'node:crypto';
import type { Position, RealmId } from '../domain/index';
import { fact } from '../domain/index';
import type { Kernel } from '../kernel';
import { LOG_STREAM, Restored } from './events';

/**
 * Second step after a restore, on a kernel that was opened after the first one: appends to every log an event that it
 * was restored.
 *
 * @param client recorded in the event as its origin
 * @returns where each log ended before that
 * @throws Overloaded when the live read models are not those of this code
 */
export async function stateRestored(kernel: Kernel, client: string): Promise<ReadonlyMap<RealmId, Position>> {
  const heads = await kernel.events.heads();
  const origin = { client, correlation: randomUUID(), address: null };
  for (const realmId of heads.keys()) {
    await kernel.work.run({ realmId, userId: null, origin }, async (work) => {
      work.append(LOG_STREAM, [fact(Restored, {})]);
    });
  }
  return heads;
}
