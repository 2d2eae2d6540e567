import { setTimeout as sleep } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import { whenLauncherEnds } from '@annals/embedded';

/** How long an orderly end may take, in ms: a database or Redis that is unavailable must not delay it. */
const PATIENCE_MS = 25_000;

/**
 * How long a process whose log was taken back still answers health and metrics, in ms, so that a probe every few
 * seconds sees why it ends. It serves nothing else then.
 */
const EXPLANATION_MS = 5_000;

/** How a running app is ended. */
export interface Ending {
  /** An orderly end. May be called again. */
  readonly close: () => Promise<void>;
  /** Reports that no more work should be sent. Work that arrives is still done. */
  readonly announce?: () => void;
  /** Seconds from the announcement to the end. */
  readonly drainSeconds?: number;
}

/**
 * Ends this process in order. At SIGTERM after an announcement, which a second signal cuts short. At SIGINT and SIGHUP,
 * and when the launcher has ended, at once. If a restore took the log back it ends as failed, 5 s after it reported
 * that: its caches are useless, and its supervisor starts it again. It ends as failed at once when the read models of
 * its code are no longer live.
 */
export function endInOrder(kernel: Kernel, { close, announce, drainSeconds = 0 }: Ending): void {
  const impatience = new AbortController();
  const end = (code = 0) => {
    impatience.abort();
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    void close().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => end());
  process.once('SIGTERM', () => {
    process.once('SIGTERM', () => end());
    announce?.();
    void sleep(drainSeconds * 1_000, undefined, { signal: impatience.signal }).then(
      () => end(),
      () => undefined,
    );
  });
  whenLauncherEnds(() => end());
  void kernel.models.retired.then(() => end(1));
  void kernel.takenBack
    .then(() => sleep(EXPLANATION_MS, undefined, { signal: impatience.signal }))
    .then(
      () => end(1),
      () => undefined,
    );
}
