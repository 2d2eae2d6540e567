import type { Clock } from '@annals/kernel/domain';

/** How long a reading is reused, in ms: probes and scrapes may be more frequent. */
const FRESH_MS = 1_000;

/** One reading for all callers of a second. An error is thrown to the waiting callers, and is not cached. */
export function oncePerSecond<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let latest: { readonly at: number; readonly reading: Promise<T> } | null = null;
  return () => {
    const now = clock.now();
    if (latest && Math.abs(now - latest.at) < FRESH_MS) return latest.reading;
    const reading = read();
    const mine = (latest = { at: now, reading });
    reading.catch(() => {
      if (latest === mine) latest = null;
    });
    return reading;
  };
}

/** One reading for the metrics of a scrape; null when it fails, since one metric must not fail the others. */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T | null> {
  let running: Promise<T | null> | null = null;
  return () =>
    (running ??= read()
      .catch(() => null)
      .finally(() => (running = null)));
}
