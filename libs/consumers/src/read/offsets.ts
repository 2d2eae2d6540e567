import { cursorOf, eventId, lastLoggedId, positionOf } from '@annals/feed';
import type { Position, RealmId } from '@annals/kernel/domain';
import type { ConsumerView } from '../domain/events';

/**
 * An offset in the log: `position × 65,536 + k`, where the k-th client event of a position is, like the ids of
 * `POST /register`. An event of the log is at `k = 0`.
 */
export type LogOffset = number;

/** The offset of an event. */
export const offsetOf = (position: number, k = 0): LogOffset => eventId(position, k);

/** The offset after everything of a position, and before the next one. */
export const endOf = (position: number): LogOffset => lastLoggedId(position);

/** The last position of which nothing is after an offset. */
export const completedAt = (offset: LogOffset): Position => cursorOf(offset, 0 as Position).seen;

export { positionOf };

/** The id of the event at an offset: `1/412`, or `1/412.3` of a client event (contract/feed.md section 3). */
export function idOf(realmId: RealmId, view: ConsumerView, offset: LogOffset): string {
  const position = positionOf(offset);
  return view === 'domain' ? `${realmId}/${position}` : `${realmId}/${position}.${offset - eventId(position, 0)}`;
}

const ID = /^(\d{1,10})\/(\d{1,11})(?:\.(\d{1,5}))?$/;

/**
 * The offset of an id. Null for a text that is no id of the organization.
 *
 * @param end the id of a position, without a number of a client event, means the end of the position
 */
export function offsetIn(realmId: RealmId, text: string, { end = false } = {}): LogOffset | null {
  const [, realm, position, k] = ID.exec(text) ?? [];
  if (Number(realm) !== realmId || position === undefined) return null;
  if (k === undefined && end) return endOf(Number(position));
  const offset = offsetOf(Number(position), Number(k ?? 0));
  return offset <= endOf(Number(position)) ? offset : null;
}
