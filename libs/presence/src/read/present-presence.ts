import type { Instant } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import type { Presence } from '../domain/presence';
import { OFFLINE_MS } from '../domain/presence';

/** Old clients count a user as active until this time after the last activity. */
const ACTIVE_MS = 70_000;

/** contract/realtime.md section 8, modern form */
export const modern = ({ activeAt, connectedAt }: Presence) => ({
  active_timestamp: unixSeconds(activeAt),
  idle_timestamp: unixSeconds(connectedAt),
});

function statusOf({ activeAt, connectedAt }: Presence) {
  const isActive = activeAt + ACTIVE_MS >= connectedAt;
  return { status: isActive ? 'active' : 'idle', timestamp: unixSeconds(isActive ? activeAt : connectedAt) };
}

/** What a legacy event has of a user. */
export const legacyClient = (presence: Presence) => ({
  website: { client: 'website', ...statusOf(presence), pushable: false },
});

/** contract/realtime.md section 8, legacy form */
export const legacy = (presence: Presence) => ({
  aggregated: { client: 'website', ...statusOf(presence) },
  ...legacyClient(presence),
});

/** One user in both forms (contract/realtime.md section 8). */
export function bothForms(presence: Presence, now: Instant) {
  const shown = statusOf(presence);
  const isOffline = unixSeconds(now) - shown.timestamp > OFFLINE_MS / 1_000;
  return {
    ...modern(presence),
    aggregated: isOffline ? { ...shown, status: 'offline' } : shown,
    website: shown,
  };
}
