import type { Kernel } from '../kernel';
import { Repeated } from '../work/repeated';

/**
 * Work that a worker does at its start and then periodically, without a job queue. Several workers may do it at once. A
 * sweep that fails is logged, and the next one tries again.
 */
export abstract class PeriodicSweep {
  private readonly runs: Repeated;

  /**
   * @param everyMs from one sweep to the next
   * @param warning logged with the error when a sweep fails
   */
  constructor(everyMs: number, { options: { log } }: Pick<Kernel, 'options'>, warning: string) {
    this.runs = new Repeated(everyMs, () => this.regular().catch((err: unknown) => log.warn({ err }, warning)));
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
}
