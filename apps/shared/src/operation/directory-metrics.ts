import type { Kernel } from '@annals/kernel';
import type { DirectoryRun } from '@annals/provisioning';
import { readLastRuns } from '@annals/provisioning';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import { sharedReading } from './shared-reading';

/** How the last runs that follow directories ended, read on request: any process reports all of them. */
export function registerDirectoryMetrics(kernel: Kernel, registry: Registry): void {
  const runs = sharedReading(() => readLastRuns(kernel.database.pool));
  const measure = (name: string, help: string, fold: (all: readonly DirectoryRun[]) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const read = await runs();
        if (read) this.set(fold(read));
      },
    });
  measure(
    'annals_directories_failing',
    'Directories whose last synchronization failed, or was refused because too many accounts would be deactivated',
    (all) => all.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused').length,
  );
  measure(
    'annals_directories_run_age_seconds',
    'Time since the last synchronization began, the longest of all directories; 0 without any',
    (all) => Math.max(0, ...all.map(({ startedAt }) => (kernel.clock.now() - startedAt) / 1_000)),
  );
}
