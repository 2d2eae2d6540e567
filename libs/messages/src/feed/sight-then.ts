import type { FeedReader, PlacedClientEvent } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { readSight } from '../read/sight';

/** Whether the owner of a queue could see an account right after an event (contract/permissions.md section 7). */
export type SightThen = (viewer: UserId, person: UserId, event: Pick<PlacedClientEvent, 'position'>) => boolean;

/** @param guests those under restriction among those who listen; nothing is read where there are none */
export async function sightAmong(
  reader: FeedReader,
  events: readonly PlacedClientEvent[],
  people: readonly UserId[],
  guests: readonly UserId[],
): Promise<SightThen> {
  const [first, last] = [events[0], events.at(-1)];
  if (guests.length === 0 || !first || !last) return () => true;
  const asked = { viewers: guests, people, from: first.position, to: last.position };
  const sight = await readSight(reader, asked);
  const restricted = new Set(guests);
  return (viewer, person, { position }) => !restricted.has(viewer) || sight.sees(viewer, person, position);
}
