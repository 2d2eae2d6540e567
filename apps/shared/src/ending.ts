import type { Kernel } from '@annals/kernel';

/** How long an app may take to end in order, in ms. */
const PATIENCE_MS = 10_000;

/**
 * Ends this process, in order, when the log was taken back by a restore: nothing it remembers is worth keeping. Whoever
 * keeps it running starts it again.
 */
export function endWhenTakenBack(kernel: Kernel, close: () => Promise<void>): void {
  void kernel.takenBack.then(() => {
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    void close().finally(() => process.exit(1));
  });
}
