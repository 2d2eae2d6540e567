import type { Kernel } from '@annals/kernel';
import { changedClientEvents } from './client-events-law';

/**
 * What must hold of any log, however it came about: replaying it gives the read models as they are, row by row, and
 * the client events, one by one; its hashes, times and versions are whole; and nobody who follows it had to stop at an
 * event.
 *
 * @returns what does not hold; nothing when all is well
 */
export async function brokenLaws(kernel: Kernel): Promise<object[]> {
  const broken: object[] = [...(await kernel.rebuild().compareWithReplay()), ...(await changedClientEvents(kernel))];
  for (const realmId of (await kernel.events.heads()).keys()) {
    const { failure } = await kernel.verify(realmId);
    if (failure) broken.push(failure);
  }
  const parked = await kernel.database.pool.query<object>('SELECT projection, position, error FROM parked_events');
  return [...broken, ...parked.rows];
}
