import type { Instant } from '../domain/index';
import { DAY_MS } from '../domain/index';
import type { Kernel } from '../kernel';
import { Repeated } from '../work/repeated';
import { Erasures } from './erasures';
import { StorageCleanup } from './storage-cleanup';

const SWEEP_MS = 60_000;

/**
 * Carries out, every minute, the erasures whose grace period is over, and removes once a day what PostgreSQL keeps of what was
 * erased. Several workers may do so at once.
 */
export class Eraser {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());
  private readonly cleanups = new Repeated(SWEEP_MS, () => this.cleanUp());
  private readonly erasures: Erasures;
  private readonly cleanup: StorageCleanup;

  /** @param graceDays how long what was deleted stays in the log */
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'events' | 'work' | 'clock' | 'options' | 'projections'>,
    private readonly graceDays: number,
  ) {
    this.erasures = new Erasures(kernel);
    this.cleanup = new StorageCleanup(kernel);
  }

  /** Sweeps now, and every minute from now on. */
  start(): void {
    this.sweeps.start();
    this.cleanups.start();
  }

  async stop(): Promise<void> {
    await this.cleanup.stop();
    await Promise.all([this.sweeps.stop(), this.cleanups.stop()]);
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
  private async cleanUp(): Promise<void> {
    const { log } = this.kernel.options;
    try {
      const cleaned = await this.cleanup.run();
      if (cleaned?.left === null) log.info(cleaned, 'the storage of erased words was cleaned');
      else if (cleaned) log.warn(cleaned, 'the storage of erased words could not be cleaned; trying again in an hour');
    } catch (err) {
      log.warn({ err }, 'the storage of erased words could not be cleaned; trying again in a minute');
    }
  }
}
