import type { BuildProgress, Kernel, Rebuild } from '@annals/kernel';
import type { Progress } from './progress';
import { progress } from './progress';

/** Rebuilds with a progress bar for each read model. */
export function rebuildProgress(kernel: Kernel, signal?: AbortSignal) {
  const bars = new Map<string, Progress>();
  const rebuild = kernel.rebuild({
    ...(signal ? { signal } : {}),
    onProgress: ({ projection, phase, done, total }: BuildProgress) => {
      const bar = bars.get(projection) ?? progress(projection);
      bars.set(projection, bar);
      if (phase === 'live') bar.stop();
      else bar.update(done, total);
    },
  });
  return {
    async run(work: (rebuild: Rebuild) => Promise<void>): Promise<void> {
      try {
        await work(rebuild);
      } finally {
        for (const bar of bars.values()) bar.stop();
      }
    },
  };
}
