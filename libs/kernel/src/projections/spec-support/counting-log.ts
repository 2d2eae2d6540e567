import type { Projection } from '../definition/define';
import type { BackgroundRunner } from '../running/background-runner';
import { counts, projection } from './counting';
import type { RunnerParts } from './runners';
import { SpecRunners } from './runners';
import { SpecLog } from './spec-log';

/** A log with the live projections `counts` and `others`, and runners that follow it. */
export interface CountingLog {
  readonly log: SpecLog;
  /** Opens a runner, of `counts` unless others are named. */
  readonly run: (projections?: readonly Projection[], parts?: RunnerParts) => BackgroundRunner;
  /** What `counts` has counted of a realm. */
  readonly countOf: (realmId: number) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export async function openCountingLog(): Promise<CountingLog> {
  const log = await SpecLog.open();
  const runners = new SpecRunners(log);
  await log.store.ensureLive([counts, projection('others')]);
  return {
    log,
    run: (projections = [counts], parts = {}) => runners.open({ projections, ...parts }),
    countOf: async (realmId) => (await log.rows('counts')).find((row) => row['realm_id'] === realmId)?.['n'],
    close: async () => {
      await runners.stop();
      await log.close();
    },
  };
}
