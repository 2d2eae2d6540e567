import type { Instant, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact } from '@annals/kernel/domain';
import { Viewed } from './events';

/** One answered read of the history. */
export type View = Viewed['data'];

/** Reads with equal parameters within so many ms are one event. */
export const SAME_VIEW_MS = 60_000;

/** When the newest views began, by endpoint and parameters. */
type RecentViews = ReadonlyMap<string, Instant>;

/** The views of one user on one day: short streams, however much an auditor reads. */
export const viewsAggregate = defineAggregate<RecentViews, Viewed, string>(
  'audit-views',
  new Map(),
  (recent, event) => {
    const still = [...recent].filter(([, at]) => event.at - at < SAME_VIEW_MS);
    return new Map([...still, [keyOf(event.data), event.at]]);
  },
);

const DAY_MS = 86_400_000;

/**
 * The key of the stream into which a view belongs, and of that of the day before while a view of yesterday may still be
 * the same one.
 */
export function viewStreams(user: UserId, at: Instant): { readonly own: string; readonly before: string | null } {
  const day = Math.floor(at / DAY_MS);
  return { own: `${user}:${day}`, before: at - day * DAY_MS < SAME_VIEW_MS ? `${user}:${day - 1}` : null };
}

/** Records a view, unless it goes on with one that is recorded. */
export function viewed(recent: readonly RecentViews[], view: View, at: Instant): Viewed[] {
  const key = keyOf(view);
  const isKnown = recent.some((views) => at - (views.get(key) ?? -Infinity) < SAME_VIEW_MS);
  return isKnown ? [] : [fact(Viewed, view)];
}

/** Parameters are equal in every order. */
function keyOf({ endpoint, parameters }: View): string {
  const names = Object.keys(parameters).sort();
  return JSON.stringify([endpoint, names.map((name) => [name, parameters[name]])]);
}
