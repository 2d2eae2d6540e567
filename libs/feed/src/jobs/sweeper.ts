import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import { addPartitions } from '../queues/partitions';
import { sweep } from '../queues/sweep';

/** Queues live for days, so an hour more does not matter. */
const SWEEP_MS = 3_600_000;

/**
 * Deletes, every hour, what is older than a queue may live, and prepares partitions for later client events. Several
 * workers may do so at once.
 */
export class Sweeper extends PeriodicSweep {
  /** @param days how long a queue lives without a poll */
  constructor(
    private readonly kernel: Kernel,
    private readonly days: number,
  ) {
    super(SWEEP_MS, kernel, 'old queues could not be removed; trying again in an hour');
  }

  override async sweep(): Promise<void> {
    const { database, events, clock, options } = this.kernel;
    const realms = [...(await events.heads()).keys()];
    await addPartitions(database, clock.now());
    const swept = await sweep(database, realms, clock.now(), this.days);
    if (swept.queues + swept.events + swept.partitions.length > 0)
      options.log.info(swept, 'old queues and client events are gone');
  }
}
