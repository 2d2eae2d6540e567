import type { Kernel } from '../kernel';
import { Repeated } from '../work/repeated';

/**
 * Work that a worker does at its start and then periodically, without a job queue. Several workers may do it at once. A
 * sweep that fails is logged, and the next one tries again.
 */
export abstract class PeriodicSweep {
  private readonly runs: Repeated;
  private readonly log: Kernel['options']['log'];

  /**
   * @param everyMs from one sweep to the next
   * @param warning logged with the error when a sweep fails
   */
  constructor(
    everyMs: number,
    { options: { log } }: Pick<Kernel, 'options'>,
    private readonly warning: string,
  ) {
    this.log = log;
    this.runs = new Repeated(everyMs, async () => void (await this.isolated({}, () => this.regular())));
  }

  /** Sweeps now, and from then on every `everyMs`. */
  start(): void {
    this.runs.start();
  }

  /** Begins no other sweep, and resolves when the current one has ended. */
  stop(): Promise<void> {
    return this.runs.stop();
  }

  /** One sweep. */
  abstract sweep(): Promise<void>;

  /** What is done periodically: a sweep. */
  protected regular(): Promise<void> {
    return this.sweep();
  }

  /**
   * Does a part of the work that must hold up no other part. A failure is logged, and a later sweep tries again.
   *
   * @param part names the part in the log, for example its organization
   * @param warning if left out, that of a sweep
   * @returns whether it succeeded
   */
  protected async isolated(part: object, act: () => Promise<unknown>, warning = this.warning): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (err) {
      this.log.warn({ err, ...part }, warning);
      return false;
    }
  }
}
