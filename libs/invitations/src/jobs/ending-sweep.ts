import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { Endings } from '../application/endings';
import { readDead, readExpiredRegistrations } from '../read/invitation-rows';

const SWEEP_MS = 60_000;
/** Read at once. */
const PAGE = 200;

/** Ends, every minute, invitations and registrations that nobody can use any more. */
export class EndingSweep extends PeriodicSweep {
  constructor(
    private readonly kernel: Kernel,
    private readonly endings: Endings,
  ) {
    super(SWEEP_MS, kernel, 'invitations that nobody can use any more could not be ended; trying again in a minute');
  }

  override async sweep(): Promise<void> {
    const { database, clock } = this.kernel;
    for (;;) {
      const dead = await readDead(database.pool, clock.now(), PAGE);
      for (const invitation of dead) await this.endings.invitation(invitation);
      if (dead.length < PAGE) break;
    }
    for (;;) {
      const expired = await readExpiredRegistrations(database.pool, clock.now(), PAGE);
      for (const { realmId, id } of expired) await this.endings.registration(realmId, id);
      if (expired.length < PAGE) break;
    }
  }
}
