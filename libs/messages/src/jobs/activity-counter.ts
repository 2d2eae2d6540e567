import { countActivity, countOfDay, dayOf, stillDormant } from '@annals/channels';
import type { Kernel } from '@annals/kernel';
import { RealmUpkeep, systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { HOUR_MS } from '@annals/kernel/domain';
import { countTraffic } from '../read/upkeep/channel-traffic';

/** A day begins once, and its figures are not urgent. */
const SWEEP_MS = HOUR_MS;
const WARNING = 'the traffic of channels could not be counted; trying again in an hour';

/**
 * Counts the activity of the channels of each organization once a day (contract/channels.md section 1). Several workers
 * may do so at once: one of them starts the day's stream.
 */
export class ActivityCounter extends RealmUpkeep {
  /** The last day that this process has checked. A day without changed figures has no event. */
  private readonly counted = new Map<RealmId, number>();

  constructor(private readonly kernel: Kernel) {
    super(SWEEP_MS, kernel, WARNING, (realmId) => this.count(realmId));
  }

  /** Counts the present day, unless it was counted already. */
  private async count(realmId: RealmId): Promise<void> {
    const { work, fence, database, clock } = this.kernel;
    const day = dayOf(clock.now());
    if ((this.counted.get(realmId) ?? -1) >= day) return;
    await work.run(systemActor(realmId), async (unit) => {
      if (await unit.read(countOfDay, day)) return;
      const channels = await countTraffic(database.pool, realmId, day, await fence.reach(realmId));
      const facts = await unit.decide(countOfDay, day, (isCounted) => countActivity(isCounted, day, channels));
      for (const { channelId, isRecentlyActive } of facts.flatMap(({ data }) => data.channels)) {
        if (isRecentlyActive !== undefined) unit.changesGuard(stillDormant, channelId);
      }
    });
    this.counted.set(realmId, day);
  }
}
