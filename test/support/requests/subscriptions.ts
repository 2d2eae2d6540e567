import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** A subscription on the wire. */
export type Subscription = Record<string, unknown> & { readonly stream_id: number; readonly name: string };

/** The answer to a subscription. */
export interface Subscribed {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized?: string[];
}

/** The answer to an unsubscription. */
export interface Left {
  readonly removed: string[];
  readonly not_removed: string[];
}

export const subscribe = (by: Person, names: readonly (string | Params)[], more: Params = {}) =>
  by.post<Subscribed>('/users/me/subscriptions', {
    subscriptions: names.map((name) => (typeof name === 'string' ? { name } : name)),
    ...more,
  });

export const unsubscribe = (by: Person, subscriptions: unknown, more: Params = {}) =>
  by.delete<Left>('/users/me/subscriptions', { subscriptions, ...more });

export const subscriptionsOf = async (by: Person, params: Params = {}) =>
  granted(await by.get<{ subscriptions: Subscription[] }>('/users/me/subscriptions', params)).subscriptions;

export const subscriptionOf = async (by: Person, name: string, params: Params = {}) =>
  (await subscriptionsOf(by, params)).find((one) => one.name === name);
