import type { Instant } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';

/** What came of one request to a webhook. */
export interface WebhookAttempt {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The beginning of the body of the answer. Without an answer: why there was none. */
  readonly answer: string;
  /** The header `Retry-After` of the answer. */
  readonly retryAfter: string | undefined;
}

/** What follows from an attempt: the events are acknowledged, the consumer is paused, or there is another attempt. */
export type AfterAttempt =
  { readonly kind: 'acknowledged' } | { readonly kind: 'gone' } | { readonly kind: 'retry'; readonly waitMs: number };

/** Waits in ms after failed attempts. The last one is repeated for ever (contract/feed.md section 6). */
const BACKOFF_MS = [5_000, 30_000, 120_000, 600_000, HOUR_MS];
/** Statuses whose `Retry-After` is obeyed. */
const OBEYED: ReadonlySet<number | null> = new Set([429, 503]);
const GONE = 410;
/** Bounds of a wait that the receiver asks for. */
const [MIN_ASKED_MS, MAX_ASKED_MS] = [1_000, DAY_MS];

/** @param failures attempts of the same events that failed before */
export function afterAttempt(
  { status, retryAfter }: Pick<WebhookAttempt, 'status' | 'retryAfter'>,
  failures: number,
  now: Instant,
): AfterAttempt {
  if (status !== null && status >= 200 && status <= 299) return { kind: 'acknowledged' };
  if (status === GONE) return { kind: 'gone' };
  const asked = OBEYED.has(status) ? askedWait(retryAfter, now) : null;
  return { kind: 'retry', waitMs: asked ?? BACKOFF_MS[failures] ?? HOUR_MS };
}

/** The wait of a `Retry-After` in seconds or with a date. Null without one that can be read. */
function askedWait(retryAfter: string | undefined, now: Instant): number | null {
  const text = retryAfter?.trim() ?? '';
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1_000 : /[a-z]/i.test(text) ? Date.parse(text) - now : NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, MIN_ASKED_MS), MAX_ASKED_MS);
}
