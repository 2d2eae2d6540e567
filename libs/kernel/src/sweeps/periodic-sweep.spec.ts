import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import { PeriodicSweep } from './periodic-sweep';
import { RealmUpkeep } from './realm-upkeep';

class Failing extends PeriodicSweep {
  readonly sweeps = new CallRecorder<[]>();

  override sweep(): Promise<void> {
    this.sweeps.listener();
    return Promise.reject(new Error('away'));
  }
}

/** Does its parts, of which 2 fails. */
class Parts extends PeriodicSweep {
  readonly done: number[] = [];
  readonly succeeded: boolean[] = [];

  override async sweep(): Promise<void> {
    for (const realm of [1, 2, 3]) this.succeeded.push(await this.isolated({ realm }, () => this.part(realm)));
    await this.isolated({ realm: 4 }, () => this.part(2), 'could not do the last one');
  }

  private async part(realm: number): Promise<void> {
    if (realm === 2) throw new Error('a mistake');
    this.done.push(realm);
  }
}

const warningsTo = (listener: (...line: [{ err: Error }, string]) => void) =>
  ({ options: { log: { warn: listener } } }) as unknown as Pick<Kernel, 'options'>;

describe('a periodic sweep', () => {
  it('goes on with its other parts when one fails, and logs which', async () => {
    const warnings = new CallRecorder<[{ err: Error }, string]>();
    const parts = new Parts(3_600_000, warningsTo(warnings.listener), 'could not do a part');
    await parts.sweep();
    expect([parts.done, parts.succeeded]).toEqual([
      [1, 3],
      [true, false, true],
    ]);
    expect(warnings.calls).toEqual([
      [{ err: new Error('a mistake'), realm: 2 }, 'could not do a part'],
      [{ err: new Error('a mistake'), realm: 4 }, 'could not do the last one'],
    ]);
  });

  it('works in the other organizations when it fails in one', async () => {
    const warnings = new CallRecorder<[{ err: Error }, string]>();
    const heads = () => Promise.resolve(new Map([1, 2, 3].map((realmId) => [realmId as RealmId, 9])));
    const kernel = { ...warningsTo(warnings.listener), events: { heads } } as unknown as Kernel;
    const kept: number[] = [];
    const keep = async (realmId: RealmId) => {
      if (realmId === 2) throw new Error('a mistake');
      kept.push(realmId);
    };
    await new RealmUpkeep(3_600_000, kernel, 'could not keep', keep).sweep();
    expect([kept, warnings.calls]).toEqual([[1, 3], [[{ err: new Error('a mistake'), realm: 2 }, 'could not keep']]]);
  });

  it('runs at its start, and again after a failure, which it logs', async () => {
    const warnings = new CallRecorder<[{ err: Error }, string]>();
    const sweep = new Failing(10, warningsTo(warnings.listener), 'could not sweep');
    sweep.start();
    await warnings.atLeast(2);
    await sweep.stop();
    const count = sweep.sweeps.calls.length;
    expect(warnings.calls).toHaveLength(count);
    expect(warnings.calls[0]).toEqual([{ err: new Error('away') }, 'could not sweep']);
  });
});
