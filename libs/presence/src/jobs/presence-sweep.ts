import type { Kernel } from '@annals/kernel';
import { RealmUpkeep } from '@annals/kernel';
import { sweepPresences } from '../read/presence-rows';

const SWEEP_MS = 3_600_000;
const WARNING = 'old presences could not be deleted; trying again in an hour';

/** Deletes, every hour, presences that are too old, and those of users who left or turned presence off. */
export class PresenceSweep extends RealmUpkeep {
  constructor(kernel: Kernel) {
    const { database, clock } = kernel;
    super(SWEEP_MS, kernel, WARNING, (realmId) => sweepPresences(database.pool, realmId, clock.now()));
  }
}
