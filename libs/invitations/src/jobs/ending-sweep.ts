import type { Kernel } from '@annals/kernel';
import { PeriodicSweep } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Endings } from '../application/endings';
import { readDead, readExpiredRegistrations } from '../read/invitation-rows';

const SWEEP_MS = 60_000;
/** Read at once. */
const PAGE = 200;
const WARNING = 'invitations that nobody can use any more could not be ended; trying again in a minute';

/** Ends, every minute, invitations and registrations that nobody can use any more. */
export class EndingSweep extends PeriodicSweep {
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'clock' | 'options'>,
    private readonly endings: Pick<Endings, 'invitation' | 'registration'>,
  ) {
    super(SWEEP_MS, kernel, WARNING);
  }

  override async sweep(): Promise<void> {
    const { database, clock } = this.kernel;
    await this.endAll(
      () => readDead(database.pool, clock.now(), PAGE),
      (invitation) => this.endings.invitation(invitation),
    );
    await this.endAll(
      () => readExpiredRegistrations(database.pool, clock.now(), PAGE),
      ({ realmId, id }) => this.endings.registration(realmId, id),
    );
  }

  /** One that fails holds up no other one of its page. It would be in each further page, so these wait for the next sweep. */
  private async endAll<One extends { readonly realmId: RealmId; readonly id: number }>(
    readPage: () => Promise<readonly One[]>,
    end: (one: One) => Promise<void>,
  ): Promise<void> {
    let isMore = true;
    while (isMore) {
      const page = await readPage();
      isMore = page.length === PAGE;
      for (const one of page) {
        const { realmId: realm, id } = one;
        if (!(await this.isolated({ realm, id }, () => end(one)))) isMore = false;
      }
    }
  }
}
