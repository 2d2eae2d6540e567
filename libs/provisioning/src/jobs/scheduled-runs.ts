import type { Kernel } from '@annals/kernel';
import { KeyedLimit, PeriodicSweep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { LdapDirectory, OfferedDirectories } from '@annals/sign-in';
import type { DirectoryRuns } from '../application/ldap/directory-runs';
import { readDueRealms } from '../read/ldap/directory-runs';
import { RunTurns } from './run-turns';

const SWEEP_MS = 30_000;
const MINUTE_MS = 60_000;
const WARNING = 'directories could not be synchronized; trying again in half a minute';

/**
 * Makes accounts follow the directories whose interval is over. Of several workers one makes a run. A run whose process
 * ended is made again at once. Sweeps only begin runs, a directory has one at a time, and slow ones take turns among themselves. A run
 * ends after the time of its directory.
 */
export class ScheduledRuns extends PeriodicSweep {
  private readonly stopped = new AbortController();
  private readonly ofDirectory = new KeyedLimit(1);
  private readonly turns: RunTurns;
  /** The runs that have not ended, also those that wait for their turn. */
  private readonly begun = new Map<string, Promise<void>>();

  constructor(
    private readonly kernel: Kernel,
    private readonly directories: OfferedDirectories,
    private readonly synchronizing: DirectoryRuns,
  ) {
    super(SWEEP_MS, kernel, WARNING);
    this.turns = new RunTurns(kernel.clock);
  }

  /** Ends each run after the change that it is making. */
  override async stop(): Promise<void> {
    this.stopped.abort();
    await super.stop();
    await Promise.all(this.begun.values());
  }

  /** Resolves when all runs that were due have ended. */
  override async sweep(): Promise<void> {
    await this.regular();
    await Promise.all(this.begun.values());
  }

  /** Begins the runs that are due, and waits for none of them. */
  protected override async regular(): Promise<void> {
    this.turns.look();
    for (const directory of this.directories.all) {
      const { everyMinutes } = directory.synchronization;
      if (everyMinutes === null) continue;
      for (const realmId of await this.due(directory, everyMinutes)) {
        this.begin(realmId, directory, everyMinutes);
      }
    }
  }

  /** A run that has not ended yet is not begun again. */
  private begin(realmId: RealmId, directory: LdapDirectory, everyMinutes: number): void {
    const key = `${realmId} ${directory.name}`;
    if (this.begun.has(key)) return;
    const run = this.ofDirectory.run(directory.name, () =>
      this.turns.run(directory.name, () => this.run(realmId, directory, everyMinutes)),
    );
    this.begun.set(
      key,
      run.finally(() => this.begun.delete(key)),
    );
  }

  /** Never rejects, so that the others are followed too. */
  private async run(realmId: RealmId, directory: LdapDirectory, everyMinutes: number): Promise<void> {
    if (this.stopped.signal.aborted) return;
    const until = (this.kernel.clock.now() + directory.synchronization.maxMinutes * MINUTE_MS) as Instant;
    const wishes = { isDryRun: false, isForced: false, signal: this.stopped.signal, until };
    const isDue = async () => (await this.due(directory, everyMinutes)).includes(realmId);
    const run = () => this.synchronizing.run(realmId, directory, wishes, isDue);
    await this.isolated({ realm: realmId, directory: directory.name }, run);
  }

  private due({ name, organizations }: LdapDirectory, everyMinutes: number): Promise<RealmId[]> {
    const before = (this.kernel.clock.now() - everyMinutes * MINUTE_MS) as Instant;
    return readDueRealms(this.kernel.database.pool, { directory: name, subdomains: organizations, before });
  }
}
