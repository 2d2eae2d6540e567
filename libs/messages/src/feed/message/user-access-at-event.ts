import type { FeedReader, PositionedClientEvent } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { NOW } from '@annals/users';
import { readUserAccessHistory } from '../../read/history/user-access-history';

/**
 * Whether the owner of a queue had access to a user right after an event and still has: names are read as they are now
 * (contract/permissions.md section 7).
 */
export type UserAccessAtEvent = (
  viewer: UserId,
  person: UserId,
  event: Pick<PositionedClientEvent, 'position'>,
) => boolean;

/** @param guests listeners with restricted access; nothing is read where there are none */
export async function readUserAccessAtEvents(
  reader: FeedReader,
  events: readonly PositionedClientEvent[],
  people: readonly UserId[],
  guests: readonly UserId[],
): Promise<UserAccessAtEvent> {
  const [first] = events;
  if (guests.length === 0 || !first) return () => true;
  const asked = { viewers: guests, people, from: first.position, to: NOW };
  const access = await readUserAccessHistory(reader, asked);
  const restricted = new Set(guests);
  return (viewer, person, { position }) =>
    !restricted.has(viewer) || (access.canAccess(viewer, person, position) && access.canAccess(viewer, person, NOW));
}
