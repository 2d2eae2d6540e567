import type { Kernel } from '@annals/kernel';
import { changedClientEvents } from './client-events-law';
import { unfoundSubjects } from './subjects-law';
import { badEntries } from './trail-law';

/**
 * Properties of any log: a replay gives the same read models, row by row, and the same client events; its hashes, times
 * and versions are consistent; no follower is parked at an event; and the trail has a sentence about each event, which
 * shows no words to readers without the right.
 *
 * @returns the violations; empty when there are none
 */
export async function brokenLaws(kernel: Kernel): Promise<object[]> {
  const broken: object[] = [...(await kernel.rebuild().compareWithReplay()), ...(await changedClientEvents(kernel))];
  for (const realmId of (await kernel.events.heads()).keys()) {
    const { failure } = await kernel.verify(realmId);
    if (failure) broken.push(failure);
    broken.push(...(await unfoundSubjects(kernel, realmId)));
    broken.push(...(await badEntries(kernel, realmId)));
  }
  const parked = await kernel.database.pool.query<object>('SELECT projection, position, error FROM parked_events');
  return [...broken, ...parked.rows];
}
