import type { Kernel } from '@annals/kernel';
import { RealmUpkeep } from '@annals/kernel';
import { sweepStorage } from '../read/bot/bot-storage-rows';

const SWEEP_MS = 3_600_000;
const WARNING = 'the storage of erased bots could not be deleted; trying again in an hour';

/** Deletes, every hour, what bots stored that were erased, alone or with their owner. */
export class BotStorageSweep extends RealmUpkeep {
  constructor(kernel: Kernel) {
    super(SWEEP_MS, kernel, WARNING, (realmId) => sweepStorage(kernel.database.pool, realmId));
  }
}
