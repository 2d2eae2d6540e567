/** Reads once for all who ask before it is done; null when it cannot be read, which must not take the rest along. */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T | null> {
  let running: Promise<T | null> | null = null;
  return () =>
    (running ??= read()
      .catch(() => null)
      .finally(() => (running = null)));
}
