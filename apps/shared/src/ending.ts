import { setTimeout as sleep } from 'node:timers/promises';
import type { Kernel } from '@annals/kernel';
import { whenLauncherEnds } from '@annals/embedded';

/** How long an app may take to end in order once it has to, in ms: a database or Redis that is away must not keep it. */
const PATIENCE_MS = 25_000;

/**
 * How long a process whose log was taken back goes on answering health and metrics, in ms, so that a probe that asks every
 * few seconds sees why it ends. It serves nothing else by then.
 */
const EXPLANATION_MS = 5_000;

/** How a running app is ended. */
export interface Ending {
  /** Ends it in order; may be called again. */
  readonly close: () => Promise<void>;
  /** Tells whoever sends work that there should be no more of it; work that comes all the same is done. */
  readonly announce?: () => void;
  /** Seconds from the announcement to the end. */
  readonly drainSeconds?: number;
}

/**
 * Ends this process, in order: at SIGTERM after it was announced, which a second signal cuts short; at SIGINT and SIGHUP,
 * and when the launcher has ended, at once. When the log was taken back by a restore it ends as failed, 5 s after it said
 * so: nothing it remembers is worth keeping, and whoever keeps it running starts it again. It ends as failed at once when
 * the read models that it is written for are live no more.
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
