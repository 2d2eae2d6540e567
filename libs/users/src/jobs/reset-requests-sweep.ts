import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import { deleteOldResetRequests } from '../application/sign-in/password-resets';

const SWEEP_MS = 3_600_000;

/** Deletes, every hour, who asked for another password before yesterday, in all organizations. */
export class ResetRequestsSweep extends PeriodicSweep {
  constructor(private readonly kernel: Pick<Kernel, 'clock' | 'database' | 'options'>) {
    super(SWEEP_MS, kernel, 'old requests for another password could not be deleted; trying again in an hour');
  }

  override sweep(): Promise<void> {
    return deleteOldResetRequests(this.kernel.database.pool, this.kernel.clock.now());
  }
}
