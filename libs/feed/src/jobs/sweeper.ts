import type { Kernel } from '@annals/kernel';
import { Repeated } from '@annals/kernel';
import { addPartitions } from '../queues/partitions';
import { sweep } from '../queues/sweep';

/** Queues live for days, so nobody waits for this. */
const SWEEP_MS = 3_600_000;

/**
 * Removes, every hour, what is older than a queue may live, and prepares partitions for the client events to come. Several
 * workers may do so at once.
 */
export class Sweeper {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());

  /** @param days how long a queue lives without a poll */
  constructor(
    private readonly kernel: Kernel,
    private readonly days: number,
  ) {}

  /** Sweeps now, and every hour from now on. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  private async sweep(): Promise<void> {
    const { database, events, clock, options } = this.kernel;
    try {
      const realms = [...(await events.heads()).keys()];
      await addPartitions(database, clock.now());
      const swept = await sweep(database, realms, clock.now(), this.days);
      if (swept.queues + swept.events + swept.partitions.length > 0)
        options.log.info(swept, 'old queues and client events are gone');
    } catch (error) {
      options.log.warn({ err: error }, 'old queues could not be removed; trying again in an hour');
    }
  }
}
