import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import { sweepPresences } from '../read/presence-rows';

const SWEEP_MS = 3_600_000;

/** Deletes, every hour, presences that are too old, and those of users who left or turned presence off. */
export class PresenceSweep extends PeriodicSweep {
  constructor(private readonly kernel: Kernel) {
    super(SWEEP_MS, kernel, 'old presences could not be deleted; trying again in an hour');
  }

  override async sweep(): Promise<void> {
    const { database, events, clock } = this.kernel;
    for (const realmId of (await events.heads()).keys()) await sweepPresences(database.pool, realmId, clock.now());
  }
}
