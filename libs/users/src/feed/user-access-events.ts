import type { Audience, ClientEvent, Position, UserId } from '@annals/kernel/domain';

/** What a `realm_user` event carries that tells guests whom they came to see or lost sight of, each their own. */
export interface UserAccessPayload {
  readonly op: 'sight';
  /** What guests could see right after this position is compared with what they see at the event's. */
  readonly since: Position;
  /** These see others or are seen by others than before; null when that may be so of everybody. */
  readonly userIds: readonly UserId[] | null;
}

/**
 * Between two positions something happened by which restricted guests may see others than before
 * (contract/permissions.md section 7). Whom each of them came to see or lost is worked out when it is delivered.
 *
 * @param audience guests, and who was one or became one
 */
export const userAccessEvent = (
  since: Position,
  userIds: UserAccessPayload['userIds'],
  audience: Audience = { kind: 'guests' },
): ClientEvent => ({ type: 'realm_user', audience, payload: { op: 'sight', since, userIds } });

/** Most accounts of which one event tells: more would not fit between two positions, and registering anew is cheaper. */
export const MAX_REPORTED = 5_000;

/** After everything that has happened so far. */
export const NOW = Number.MAX_SAFE_INTEGER as Position;

/** The position before one. */
export const before = (position: number): Position => (position - 1) as Position;
