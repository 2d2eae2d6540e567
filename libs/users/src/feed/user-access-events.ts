import type { Audience, ClientEvent, Position, UserId } from '@annals/kernel/domain';

/**
 * The payload of a `realm_user` event for restricted guests; the users who became visible or hidden are computed for
 * each guest.
 */
export interface UserAccessPayload {
  readonly op: 'sight';
  /** The visible users right after this position are compared with those at the event's. */
  readonly since: Position;
  /** Users whose visibility or view may have changed; null when it may be all. */
  readonly userIds: readonly UserId[] | null;
}

/**
 * Something between two positions may have changed which users restricted guests can see (contract/permissions.md
 * section 7). The users who became visible or hidden are computed at delivery.
 *
 * @param audience guests, and users who were or became one
 */
export const userAccessEvent = (
  since: Position,
  userIds: UserAccessPayload['userIds'],
  audience: Audience = { kind: 'guests' },
): ClientEvent => ({ type: 'realm_user', audience, payload: { op: 'sight', since, userIds } });

/** Maximum accounts in one event: more do not fit between two positions, and a new registration is cheaper. */
export const MAX_REPORTED = 5_000;

/** After all events so far. */
export const NOW = Number.MAX_SAFE_INTEGER as Position;

/** The position before one. */
export const before = (position: number): Position => (position - 1) as Position;
