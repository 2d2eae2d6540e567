import type { Instant } from '../domain/index';
import type { Kernel } from '../kernel';
import { Repeated } from '../work/repeated';
import { Erasures } from './erasures';

const SWEEP_MS = 60_000;
const DAY_MS = 86_400_000;

/** Carries out, every minute, the erasures whose time of grace is over. Several workers may do so at once. */
export class Eraser {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());
  private readonly erasures: Erasures;

  /** @param graceDays how long what was deleted stays in the log */
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'events' | 'work' | 'clock' | 'options'>,
    private readonly graceDays: number,
  ) {
    this.erasures = new Erasures(kernel);
  }

  /** Sweeps now, and every minute from now on. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Never rejects: what cannot be erased now is tried again. */
  async sweep(): Promise<void> {
    const { clock, options } = this.kernel;
    try {
      const swept = await this.erasures.sweep((clock.now() - this.graceDays * DAY_MS) as Instant);
      if (swept.orders > 0) options.log.info(swept, 'words were erased from the log');
    } catch (err) {
      options.log.warn({ err }, 'words could not be erased; trying again in a minute');
    }
  }
}
