import type { Caller, Params } from '../server/caller';
import { granted } from '../server/caller';

/** The answer to a ping. */
export interface PresenceAnswer {
  readonly presences?: Readonly<Record<string, unknown>>;
  readonly presence_last_update_id?: number;
  readonly server_timestamp?: number;
}

/** A client of an active user is connected. */
export const ping = (by: Caller, params: Params = {}) =>
  by.post<PresenceAnswer>('/users/me/presence', { status: 'active', ping_only: true, ...params });

/** The presences that a client of an idle user receives. */
export const listPresences = async (by: Caller, params: Params = {}) =>
  granted(await ping(by, { status: 'idle', ping_only: false, slim_presence: true, ...params }));

/** A presence in the modern form. */
export const times = (active: number, idle = active) => ({ active_timestamp: active, idle_timestamp: idle });

export const website = (status: string, timestamp: number) => ({ client: 'website', status, timestamp });

/** A presence in the legacy form. */
export const legacy = (status: string, timestamp: number) => ({
  aggregated: website(status, timestamp),
  website: { ...website(status, timestamp), pushable: false },
});
