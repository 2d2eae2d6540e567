import type { RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import { PeriodicSweep } from './periodic-sweep';

/** Small work that is done in each organization at intervals. One in which it fails holds up no other one. */
export class RealmUpkeep extends PeriodicSweep {
  private readonly events: Pick<Kernel['events'], 'heads'>;

  /**
   * @param everyMs from one sweep to the next
   * @param warning logged with the error when the work fails
   * @param act does the work in one organization
   */
  constructor(
    everyMs: number,
    kernel: Pick<Kernel, 'events' | 'options'>,
    warning: string,
    private readonly act: (realmId: RealmId) => Promise<unknown>,
  ) {
    super(everyMs, kernel, warning);
    this.events = kernel.events;
  }

  /** Does it in all organizations now. */
  override async sweep(): Promise<void> {
    for (const realmId of (await this.events.heads()).keys()) {
      await this.isolated({ realm: realmId }, () => this.act(realmId));
    }
  }
}
