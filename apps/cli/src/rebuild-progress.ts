import type { BuildProgress, Kernel, Rebuild } from '@annals/kernel';
import type { Progress } from './progress';
import { progress } from './progress';

/** Rebuilds with a progress bar for the read model at work. */
export function rebuildProgress(kernel: Kernel, signal?: AbortSignal) {
  let current: { readonly name: string; readonly bar: Progress } | null = null;
  const rebuild = kernel.rebuild({
    ...(signal ? { signal } : {}),
    onProgress: ({ projection, phase, done, total }: BuildProgress) => {
      if (current?.name !== projection) {
        current?.bar.stop();
        current = { name: projection, bar: progress(projection) };
      }
      current.bar.update(done, total, phase);
    },
  });
  return {
    async run(work: (rebuild: Rebuild) => Promise<void>): Promise<void> {
      try {
        await work(rebuild);
      } finally {
        current?.bar.stop();
      }
    },
  };
}
