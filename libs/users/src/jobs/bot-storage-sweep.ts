import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import { sweepStorage } from '../read/bot/bot-storage-rows';

const SWEEP_MS = 3_600_000;

/** Deletes, every hour, what bots stored that were erased, alone or with their owner. */
export class BotStorageSweep extends PeriodicSweep {
  constructor(private readonly kernel: Kernel) {
    super(SWEEP_MS, kernel, 'the storage of erased bots could not be deleted; trying again in an hour');
  }

  override async sweep(): Promise<void> {
    const { database, events } = this.kernel;
    for (const realmId of (await events.heads()).keys()) await sweepStorage(database.pool, realmId);
  }
}
