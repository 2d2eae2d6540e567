import type { Actor, Aggregate, Instant, ORGANIZATION_STREAM, Position } from '@annals/kernel/domain';
import { DAY_MS, fact, isOwner } from '@annals/kernel/domain';
import { reject } from '../rejections';
import type { StandingEvent } from './organization-events';
import { DeletionScheduled, OrganizationDeactivated, OrganizationReactivated } from './organization-events';

/** When an organization was reactivated. Sessions, links and logins that began before are not valid again. */
export interface Reactivation {
  readonly position: Position;
  readonly at: Instant;
}

/** Whether an organization can be used, and when it is deleted. */
export type Standing =
  | { readonly kind: 'active'; readonly reactivated: Reactivation | null }
  | { readonly kind: 'deactivated'; readonly deleteAt: Instant | null };

const ACTIVE: Standing = { kind: 'active', reactivated: null };

/** The one stream of an organization's standing. Every command of an account depends on it. */
export const standingAggregate: Aggregate<Standing, StandingEvent, typeof ORGANIZATION_STREAM> = {
  stream: (key) => key,
  initial: ACTIVE,
  evolve(_, { type, data, position, at }) {
    if (type === 'realm.Reactivated') return { kind: 'active', reactivated: { position, at } };
    return { kind: 'deactivated', deleteAt: data.deleteAt };
  },
};

/** The fewest days after which owners may have their organization deleted, so that they can change their minds. */
export const MIN_DELETION_DAYS = 14;
/** The most days, so that the time can be written. */
export const MAX_DELETION_DAYS = 3_650;

/**
 * An owner deactivates the organization.
 *
 * @param days after which it is deleted. Null for never
 * @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for a time that is too short or too long
 */
export function deactivateByOwner(
  state: Standing,
  days: number | null,
  by: Pick<Actor, 'role' | 'botType'>,
  at: Instant,
): OrganizationDeactivated[] {
  if (!isOwner(by) || by.botType !== null) throw reject.ownersOnly();
  if (days !== null && days < MIN_DELETION_DAYS) throw reject.deletedTooSoon({ days: MIN_DELETION_DAYS });
  if (days !== null && days > MAX_DELETION_DAYS) throw reject.deletedTooLate({ days: MAX_DELETION_DAYS });
  return deactivate(state, days === null ? null : afterDays(at, days));
}

/** Deactivates an organization. One that is deactivated does not change. */
export const deactivate = (state: Standing, deleteAt: Instant | null = null): OrganizationDeactivated[] =>
  state.kind === 'deactivated' ? [] : [fact(OrganizationDeactivated, { deleteAt })];

/** Sets the time at which an organization is deleted. One that is active is deactivated. */
export function scheduleDeletion(
  state: Standing,
  deleteAt: Instant,
): readonly (OrganizationDeactivated | DeletionScheduled)[] {
  if (state.kind === 'active') return [fact(OrganizationDeactivated, { deleteAt })];
  if (state.deleteAt === deleteAt) return [];
  return [fact(DeletionScheduled, { deleteAt, previous: state.deleteAt })];
}

/** Everybody can use the organization again, and it is not deleted. One that is active does not change. */
export const reactivate = (state: Standing): OrganizationReactivated[] =>
  state.kind === 'active' ? [] : [fact(OrganizationReactivated, {})];

export const afterDays = (at: Instant, days: number): Instant => (at + days * DAY_MS) as Instant;
