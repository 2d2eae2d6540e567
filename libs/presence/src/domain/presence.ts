import type { Instant, UserId } from '@annals/kernel/domain';

/** When a user was last active, and when a client of the user was last connected. */
export interface Presence {
  readonly activeAt: Instant;
  readonly connectedAt: Instant;
}

/** What a client says about its user. */
export type PresenceStatus = 'active' | 'idle';
export const PRESENCE_STATUSES: readonly PresenceStatus[] = ['active', 'idle'];

/** The effect of a ping. */
export interface Ping {
  /** Null if the ping changes nothing. */
  readonly presence: Presence | null;
  /** The user was offline before. */
  readonly cameOnline: boolean;
}

/** The payload of the signal that a user came online. */
export interface CameOnline extends Presence {
  readonly userId: UserId;
  readonly at: Instant;
}

/** A user may have several clients that ping every minute. A ping so soon after another one changes nothing. */
const UNCHANGED_MS = 55_000;
/** The time after which clients show a user as offline (`server_presence_offline_threshold_seconds`). */
export const OFFLINE_MS = 200_000;

/**
 * The effect of a ping on the presence of its user.
 *
 * @param known undefined before the first ping
 * @param joinedAt stands for the last activity of a user who has not been active yet
 */
export function ping(known: Presence | undefined, status: PresenceStatus, at: Instant, joinedAt: Instant): Ping {
  const isActive = status === 'active';
  if (!known) return { presence: { activeAt: isActive ? at : joinedAt, connectedAt: at }, cameOnline: true };
  const isActivityNew = isActive && at - known.activeAt > UNCHANGED_MS;
  const isConnectionNew = at - known.connectedAt > UNCHANGED_MS;
  const cameOnline = isActive && at - known.activeAt > OFFLINE_MS;
  if (!isActivityNew && !isConnectionNew) return { presence: null, cameOnline };
  // A user who is active is connected, so the connection is never older than the activity.
  const connectedAt = Math.max(at, known.connectedAt) as Instant;
  return { presence: { activeAt: isActivityNew ? at : known.activeAt, connectedAt }, cameOnline };
}

/** The later times of two presences of one user. */
export const latest = (one: Presence, other: Presence): Presence => ({
  activeAt: Math.max(one.activeAt, other.activeAt) as Instant,
  connectedAt: Math.max(one.connectedAt, other.connectedAt) as Instant,
});
