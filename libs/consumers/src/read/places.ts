import { cursorOf, eventId, lastLoggedId, positionOf } from '@annals/feed';
import type { Position, RealmId } from '@annals/kernel/domain';
import type { ConsumerView } from '../domain/events';

/**
 * A place in the log: `position × 65,536 + k`, where the k-th client event of a position is, like the ids of
 * `POST /register`. An event of the log is at `k = 0`.
 */
export type LogPlace = number;

/** The place of an event. */
export const placeOf = (position: number, k = 0): LogPlace => eventId(position, k);

/** The place after everything of a position, and before the next one. */
export const endOf = (position: number): LogPlace => lastLoggedId(position);

/** The last position of which nothing is after a place. */
export const completedAt = (place: LogPlace): Position => cursorOf(place, 0 as Position).seen;

export { positionOf };

/** The id of the event at a place: `1/412`, or `1/412.3` of a client event (contract/feed.md section 3). */
export function idOf(realmId: RealmId, view: ConsumerView, place: LogPlace): string {
  const position = positionOf(place);
  return view === 'domain' ? `${realmId}/${position}` : `${realmId}/${position}.${place - eventId(position, 0)}`;
}

const ID = /^(\d{1,10})\/(\d{1,11})(?:\.(\d{1,5}))?$/;

/**
 * The place of an id. Null for a text that is no id of the organization.
 *
 * @param end the id of a position, without a number of a client event, means the end of the position
 */
export function placeIn(realmId: RealmId, text: string, { end = false } = {}): LogPlace | null {
  const [, realm, position, k] = ID.exec(text) ?? [];
  if (Number(realm) !== realmId || position === undefined) return null;
  if (k === undefined && end) return endOf(Number(position));
  const place = placeOf(Number(position), Number(k ?? 0));
  return place <= endOf(Number(position)) ? place : null;
}
