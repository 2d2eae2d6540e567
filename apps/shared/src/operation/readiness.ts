import type { HealthChecks, Kernel, Lag } from '@annals/kernel';
import { oncePerSecond } from './shared-reading';

/**
 * A follower counts as stopped when it has not moved for so long, in ms, although the log continues. Followers without
 * events to handle move every few seconds, and a page takes less than that.
 */
const STANDSTILL_MS = 60_000;

/** Why the log is another one, as `Kernel.whyTakenBack` finds it; health and metrics share one reading. */
export type TakenBack = () => Promise<string | null>;

/** The conditions for sending work to a process, and the warnings for an operator. */
export function watchReadiness(kernel: Kernel, health: HealthChecks, takenBack: TakenBack): void {
  const lags = oncePerSecond(kernel.clock, () => kernel.lags());
  health.add('database', async () => {
    await kernel.database.pool.query('SELECT 1');
    return undefined;
  });
  health.add('log', async () => {
    const reason = await takenBack();
    return reason === null ? undefined : `taken back: ${reason}`;
  });
  health.add('writes', async () => kernel.lanes.trouble ?? undefined);
  health.add('read models', async () => {
    const [first] = await kernel.outdated();
    return first && `${first.name} is live in version ${first.live ?? 'none'}, this process needs ${first.declared}`;
  });
  health.add('followers', async () => {
    const since = kernel.clock.now() - STANDSTILL_MS;
    const still = (await lags()).find((lag) => standsStill(lag, since));
    return (
      still &&
      `${still.name} is stuck at position ${still.position} of realm ${still.realmId}, ${still.behind} events behind`
    );
  });
  health.notice('followers', async () => {
    const ahead = (await lags()).find((lag) => lag.ahead > 0);
    if (ahead) return `${ahead.name} is beyond the end of the log of realm ${ahead.realmId}: was it restored?`;
    const [first] = await kernel.store.parked();
    return first && `${first.projection} stopped at position ${first.position} of realm ${first.realmId}`;
  });
}

/** A parked one waits for an operator, and another process would not change that. A build takes its time. */
const standsStill = ({ isBuild, parked, behindSince }: Lag, since: number): boolean =>
  !isBuild && !parked && behindSince !== null && behindSince < since;
