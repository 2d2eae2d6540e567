import { CallRecorder } from '../../../../test/support/events/call-recorder';
import type { Kernel } from '../kernel';
import type { Queues } from '../queues/queues';
import { QueuedSweep } from './queued-sweep';

const NEVER_MS = 3_600_000;

class Watched extends QueuedSweep {
  readonly passes = new CallRecorder<[]>();
  readonly worked = new CallRecorder<[Queues]>();
  /** Ends the current pass. */
  end: () => void = () => undefined;

  protected override workOn(queues: Queues): void {
    this.worked.listener(queues);
  }

  protected override everywhere(): Promise<void> {
    this.passes.listener();
    return new Promise((resolve) => (this.end = resolve));
  }
}

const queues = {} as Queues;
const kernel = { queues: () => Promise.resolve(queues) } as unknown as Pick<Kernel, 'options' | 'queues'>;
const sweepOf = () => new Watched(NEVER_MS, { ...kernel, options: {} as Kernel['options'] }, 'could not sweep');

describe('a sweep with a queue', () => {
  it('works on its queues and sweeps at its start, and again for a call during a pass', async () => {
    const sweep = sweepOf();
    await sweep.begin();
    expect(sweep.worked.calls).toEqual([[queues]]);
    await sweep.passes.atLeast(1);
    const again = sweep.sweep();
    sweep.end();
    await sweep.passes.atLeast(2);
    sweep.end();
    await again;
    await sweep.stop();
    expect(sweep.passes.calls).toHaveLength(2);
  });

  it('waits at its stop for a pass, and begins none any more', async () => {
    const sweep = sweepOf();
    const asked = sweep.sweep();
    const stopped = sweep.stop();
    sweep.end();
    await Promise.all([asked, stopped]);
    await sweep.sweep();
    expect(sweep.passes.calls).toHaveLength(1);
  });
});
