import type { UserId } from '@annals/kernel/domain';

/** The users for whom a message arrives read, as far as the message says so. */
export interface Arrival {
  /** The user who sent or caused it, if that made it read. */
  readonly readBy: UserId | null;
  /** The only users for whom it arrived unread; null for all who received it. */
  readonly unreadFor: readonly UserId[] | null;
}

/** Whether a message had been read by a user when it arrived, apart from mutes. */
export const wasReadOnArrival = ({ readBy, unreadFor }: Arrival, user: UserId): boolean =>
  readBy === user || (unreadFor !== null && !unreadFor.includes(user));

/** The same as a condition on row `m` of `view.messages`. @param user expression for the id of the user */
export const readOnArrivalSql = (user: string): string =>
  `(m.read_by IS NOT DISTINCT FROM ${user} OR NOT coalesce(${user} = ANY(m.unread_for), true))`;
