import { countActivity, countOfDay, dayOf, stillDormant } from '@annals/channels';
import type { Kernel } from '@annals/kernel';
import { Repeated, systemActor } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { countTraffic } from '../read/upkeep/channel-traffic';

/** A day begins once, and its figures are not urgent. */
const SWEEP_MS = 3_600_000;

/**
 * Counts the activity of the channels of each organization once a day (contract/channels.md section 1). Several workers
 * may do so at once: one of them starts the day's stream.
 */
export class ActivityCounter {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweep());
  /** The last day that this process has checked. A day without changed figures has no event. */
  private readonly counted = new Map<RealmId, number>();

  constructor(private readonly kernel: Kernel) {}

  /** Checks now, and every hour from now on, whether a day has to be counted. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Counts the present day for every organization for which it was not counted yet. */
  async sweep(): Promise<void> {
    const { events, clock } = this.kernel;
    const day = dayOf(clock.now());
    try {
      for (const realmId of (await events.heads()).keys()) {
        if ((this.counted.get(realmId) ?? -1) < day) await this.count(realmId, day).catch(this.failed);
      }
    } catch (error) {
      this.failed(error);
    }
  }

  private readonly failed = (err: unknown): void =>
    this.kernel.options.log.warn({ err }, 'the traffic of channels could not be counted; trying again in an hour');

  private async count(realmId: RealmId, day: number): Promise<void> {
    const { work, fence, database } = this.kernel;
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
