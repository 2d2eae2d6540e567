import type { Kernel } from '../kernel';
import type { Queues } from '../queues/queues';
import { CoalescedRuns } from '../work/coalesced-runs';
import { PeriodicSweep } from '../sweeps/periodic-sweep';

/**
 * Periodic work that the jobs of a queue bring forward. Jobs are faster, but may be lost. Several workers may do it at
 * once.
 */
export abstract class QueuedSweep extends PeriodicSweep {
  private readonly looks = new CoalescedRuns<'everywhere'>(() => this.everywhere());
  private readonly queues: () => Promise<Queues>;
  protected isStopping = false;

  /**
   * @param everyMs from one sweep to the next
   * @param warning logged with the error when a sweep fails
   */
  constructor(everyMs: number, kernel: Pick<Kernel, 'options' | 'queues'>, warning: string) {
    super(everyMs, kernel, warning);
    this.queues = () => kernel.queues();
  }

  /** Works on its queues, and sweeps, until `stop`. */
  async begin(): Promise<void> {
    this.workOn(await this.queues());
    this.start();
  }

  /** Also waits for sweeps that were asked for. A subclass ends its work early when `isStopping`. */
  override async stop(): Promise<void> {
    this.isStopping = true;
    await super.stop();
    await this.looks.stop();
  }

  /** Does what is due everywhere. A call during a pass causes another pass. */
  override sweep(): Promise<void> {
    return this.looks.run('everywhere');
  }

  /** Begins to work on its queues. */
  protected abstract workOn(queues: Queues): void;

  /** One pass. */
  protected abstract everywhere(): Promise<void>;
}
