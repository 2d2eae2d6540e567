import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { LdapDirectory, OfferedDirectories } from '@annals/sign-in';
import type { DirectoryRuns } from '../application/ldap/directory-runs';
import { readDueRealms } from '../read/ldap/directory-runs';

const SWEEP_MS = 30_000;
const MINUTE_MS = 60_000;
const WARNING = 'directories could not be synchronized; trying again in half a minute';

/**
 * Makes accounts follow the directories whose interval is over. Of several workers one makes a run. A run whose process
 * ended is made again at once.
 */
export class ScheduledRuns extends PeriodicSweep {
  private readonly stopped = new AbortController();

  constructor(
    private readonly kernel: Kernel,
    private readonly directories: OfferedDirectories,
    private readonly synchronizing: DirectoryRuns,
  ) {
    super(SWEEP_MS, kernel, WARNING);
  }

  /** Ends a run after the change that it is making. */
  override async stop(): Promise<void> {
    this.stopped.abort();
    await super.stop();
  }

  override async sweep(): Promise<void> {
    for (const directory of this.directories.all) {
      const { everyMinutes } = directory.synchronization;
      if (everyMinutes === null) continue;
      for (const realmId of await this.due(directory, everyMinutes)) {
        if (this.stopped.signal.aborted) return;
        await this.run(realmId, directory, everyMinutes);
      }
    }
  }

  /** Never rejects, so that the others are followed too. */
  private async run(realmId: RealmId, directory: LdapDirectory, everyMinutes: number): Promise<void> {
    const wishes = { isDryRun: false, isForced: false, signal: this.stopped.signal };
    const isDue = async () => (await this.due(directory, everyMinutes)).includes(realmId);
    try {
      await this.synchronizing.run(realmId, directory, wishes, isDue);
    } catch (err) {
      this.kernel.options.log.warn({ err, realmId, directory: directory.name }, WARNING);
    }
  }

  private due({ name, organizations }: LdapDirectory, everyMinutes: number): Promise<RealmId[]> {
    const before = (this.kernel.clock.now() - everyMinutes * MINUTE_MS) as Instant;
    return readDueRealms(this.kernel.database.pool, { directory: name, subdomains: organizations, before });
  }
}
