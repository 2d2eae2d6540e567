import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { Kernel } from '../kernel';
import { PeriodicSweep } from './periodic-sweep';

class Failing extends PeriodicSweep {
  readonly sweeps = new CallRecorder<[]>();

  override sweep(): Promise<void> {
    this.sweeps.listener();
    return Promise.reject(new Error('away'));
  }
}

describe('a periodic sweep', () => {
  it('runs at its start, and again after a failure, which it logs', async () => {
    const warnings = new CallRecorder<[{ err: Error }, string]>();
    const kernel = { options: { log: { warn: warnings.listener } } } as unknown as Pick<Kernel, 'options'>;
    const sweep = new Failing(10, kernel, 'could not sweep');
    sweep.start();
    await warnings.atLeast(2);
    await sweep.stop();
    const count = sweep.sweeps.calls.length;
    expect(warnings.calls).toHaveLength(count);
    expect(warnings.calls[0]).toEqual([{ err: new Error('away') }, 'could not sweep']);
  });
});
