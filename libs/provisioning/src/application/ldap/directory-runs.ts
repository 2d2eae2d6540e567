import { Kernel, LockTaken, withExclusiveLocks } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import type { LdapDirectory } from '@annals/sign-in';
import { DirectoryAway } from '@annals/sign-in';
import { Injectable } from '@nestjs/common';
import type { DirectoryRun } from '../../read/ldap/directory-runs';
import { beginRun, endRun } from '../../read/ldap/directory-runs';
import type { SyncWishes } from './directory-sync';
import { DirectorySync } from './directory-sync';
import type { SyncReport } from './sync-report';
import { countsOf } from './sync-report';

/** Another process makes a run now. */
export type RunResult = SyncReport | 'running elsewhere';

/** Makes runs one at a time, and records each. */
@Injectable()
export class DirectoryRuns {
  constructor(
    private readonly kernel: Kernel,
    private readonly sync: DirectorySync,
  ) {}

  /**
   * Makes one run. A dry run is not recorded.
   *
   * @param isDue asked when no other process can begin a run any more
   * @returns null if it is not due any more
   */
  async run(
    realmId: RealmId,
    directory: LdapDirectory,
    wishes: SyncWishes,
    isDue: () => Promise<boolean> = async () => true,
  ): Promise<RunResult | null> {
    if (wishes.isDryRun) return this.attempt(realmId, directory, wishes);
    const lock = `directory ${realmId} ${directory.name}`;
    try {
      return await withExclusiveLocks(this.kernel.database, [lock], async () =>
        (await isDue()) ? this.recorded(realmId, directory, wishes) : null,
      );
    } catch (error) {
      if (error instanceof LockTaken) return 'running elsewhere';
      throw error;
    }
  }

  private async recorded(realmId: RealmId, directory: LdapDirectory, wishes: SyncWishes): Promise<SyncReport> {
    const { clock, database } = this.kernel;
    const run = { realmId, directory: directory.name, startedAt: clock.now() };
    await beginRun(database.pool, run);
    const report = await this.attempt(realmId, directory, wishes);
    // Without an end the next worker makes another run at once, which continues this one.
    if (wishes.signal.aborted) return report;
    await endRun(database.pool, finished(run, report, clock.now()));
    this.log(realmId, report);
    return report;
  }

  private async attempt(realmId: RealmId, directory: LdapDirectory, wishes: SyncWishes): Promise<SyncReport> {
    try {
      return await this.sync.run(realmId, directory, wishes);
    } catch (error) {
      if (!(error instanceof DirectoryAway)) throw error;
      const nothing = { changes: [], problems: [], counts: countsOf([], []) };
      const { isDryRun } = wishes;
      return { directory: directory.name, isDryRun, outcome: 'failed', reason: error.message, ...nothing };
    }
  }

  /** What happened, without names of people. */
  private log(realmId: RealmId, { directory, outcome, reason, counts }: SyncReport): void {
    const { log } = this.kernel.options;
    const run = { realmId, directory, outcome, reason, ...counts };
    if (outcome === 'done') log.info(run, 'accounts follow the directory');
    else log.warn(run, 'accounts could not follow the directory');
  }
}

const finished = (
  run: Pick<DirectoryRun, 'realmId' | 'directory' | 'startedAt'>,
  { outcome, reason, counts }: SyncReport,
  finishedAt: Instant,
): DirectoryRun => ({ ...run, finishedAt, outcome, reason, counts });
