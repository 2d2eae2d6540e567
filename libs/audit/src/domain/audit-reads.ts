import type { Instant, UserId } from '@annals/kernel/domain';
import { DAY_MS, defineAggregate, fact } from '@annals/kernel/domain';
import { Viewed } from './events';

/** One answered read of the history. */
export type AuditRead = Viewed['data'];

/** Reads with equal parameters within so many ms are one event. */
export const SAME_READ_MS = 60_000;

/** When the newest reads began, by endpoint and parameters. */
type RecentReads = ReadonlyMap<string, Instant>;

/**
 * Equal reads of one user on one day. So streams are short, however much an auditor reads, and reads that differ do not
 * wait for each other.
 */
export const auditReadsAggregate = defineAggregate<RecentReads, Viewed, string>(
  'audit-views',
  new Map(),
  (recent, event) => {
    const still = [...recent].filter(([, at]) => event.at - at < SAME_READ_MS);
    return new Map([...still, [questionOf(event.data), event.at]]);
  },
);

/**
 * The key of the stream into which a read belongs, and of that of the day before while a read of yesterday may still be
 * the same one.
 *
 * @param question a short text for what is read: the same for equal reads
 */
export function readStreams(
  user: UserId,
  question: string,
  at: Instant,
): { readonly own: string; readonly before: string | null } {
  const day = Math.floor(at / DAY_MS);
  const of = (which: number) => `${user}:${which}:${question}`;
  return { own: of(day), before: at - day * DAY_MS < SAME_READ_MS ? of(day - 1) : null };
}

/** Records a read, unless it continues one that is recorded. */
export function recordRead(recent: readonly RecentReads[], read: AuditRead, at: Instant): Viewed[] {
  const key = questionOf(read);
  const isKnown = recent.some((reads) => at - (reads.get(key) ?? -Infinity) < SAME_READ_MS);
  return isKnown ? [] : [fact(Viewed, read)];
}

/** What a read asks for. Parameters are equal in every order. */
export function questionOf({ endpoint, parameters }: AuditRead): string {
  const names = Object.keys(parameters).sort();
  return JSON.stringify([endpoint, names.map((name) => [name, parameters[name]])]);
}
