import type { Kernel } from '@annals/kernel';
import { ManualClock } from '@annals/kernel/domain';
import type { RealmId } from '@annals/kernel/domain';
import type { LdapDirectory, OfferedDirectories } from '@annals/sign-in';
import { directoryAt } from '../../../../test/support/ldap/directory-settings';
import type { DirectoryRuns } from '../application/ldap/directory-runs';
import type { SyncWishes } from '../application/ldap/directory-sync';
import { ScheduledRuns } from './scheduled-runs';

const followed = (name: string): LdapDirectory => {
  const directory = directoryAt('ldap://localhost', { name });
  return { ...directory, synchronization: { ...directory.synchronization, everyMinutes: 5 } };
};

/** Directories of two organizations each, which are always due. The runs of slow ones end when the spec says so. */
class Stage {
  /** The runs that have begun, in their order. */
  readonly began: string[] = [];
  /** The minutes that the last one may take. */
  minutes = 0;
  readonly runs: ScheduledRuns;
  readonly clock = new ManualClock();
  private readonly ends: (() => void)[] = [];

  constructor(names: readonly string[], slow: readonly string[]) {
    const query = () => Promise.resolve({ rows: [{ realmId: 1 }, { realmId: 2 }] });
    const kernel = { options: {}, clock: this.clock, database: { pool: { query } } } as unknown as Kernel;
    const run = async (realmId: RealmId, { name }: LdapDirectory, { until }: SyncWishes) => {
      this.began.push(`${name} ${realmId}`);
      this.minutes = ((until ?? 0) - this.clock.now()) / 60_000;
      if (slow.includes(name)) await new Promise<void>((resolve) => this.ends.push(resolve));
    };
    const directories = { all: names.map(followed) } as unknown as OfferedDirectories;
    this.runs = new ScheduledRuns(kernel, directories, { run } as unknown as DirectoryRuns);
  }

  /** Ends the runs of slow directories that have begun. */
  end(): void {
    for (const end of this.ends.splice(0)) end();
  }
}

/** Resolves when everything has happened that waits for nothing. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the runs of directories', () => {
  it('are not held up by a slow directory, also not in later sweeps', async () => {
    const stage = new Stage(['slow', 'quick'], ['slow']);
    const first = stage.runs.sweep();
    await quiet();
    expect(stage.began).toEqual(['slow 1', 'quick 1', 'quick 2']);
    const second = stage.runs.sweep();
    await quiet();
    expect(stage.began.slice(3)).toEqual(['quick 1', 'quick 2']);
    stage.end();
    await quiet();
    expect(stage.began.slice(5)).toEqual(['slow 2']);
    stage.end();
    await Promise.all([first, second]);
  });

  it('are held up by three slow directories for a minute, and never again', async () => {
    const slow = ['a', 'b', 'c'];
    const stage = new Stage([...slow, 'quick'], slow);
    const sweeps = [stage.runs.sweep()];
    await quiet();
    expect(stage.began).toEqual(['a 1', 'b 1', 'c 1']);
    stage.clock.advance(61_000);
    sweeps.push(stage.runs.sweep());
    await quiet();
    expect(stage.began).toEqual(expect.arrayContaining(['quick 1', 'quick 2']));
    stage.end();
    await quiet();
    expect(stage.began).toEqual(expect.arrayContaining(['a 2', 'b 2', 'c 2']));
    const before = stage.began.length;
    sweeps.push(stage.runs.sweep());
    await quiet();
    expect(stage.began.slice(before)).toEqual(expect.arrayContaining(['quick 1', 'quick 2']));
    const stop = stage.runs.stop();
    stage.end();
    await Promise.all([...sweeps, stop]);
  });

  it('end after the time of their directory', async () => {
    const stage = new Stage(['a'], []);
    await stage.runs.sweep();
    expect(stage.minutes).toBe(30);
  });

  it('are at most three at a time, and none begins after the stop', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const stage = new Stage(names, names);
    const sweep = stage.runs.sweep();
    await quiet();
    expect(stage.began).toEqual(['a 1', 'b 1', 'c 1']);
    stage.end();
    await quiet();
    expect(stage.began).toHaveLength(6);
    expect(stage.began).toContain('d 1');
    const stop = stage.runs.stop();
    stage.end();
    await Promise.all([sweep, stop]);
    expect(stage.began).toHaveLength(6);
  });
});
