import pino from 'pino';
import type { Database } from '../../database/database';
import type { Share } from '../../wake-ups/notice';
import type { Projection } from '../definition/define';
import type { RunnerOptions } from '../running/background-runner';
import { BackgroundRunner } from '../running/background-runner';
import type { CheckpointedReader } from '../running/checkpointed-reader';
import type { EventSource } from '../running/event-source';
import type { SpecLog } from './spec-log';

/** The followers of a runner, and the parts of the spec's log that it uses in place of the usual ones. */
export interface RunnerParts extends RunnerOptions {
  readonly projections?: readonly Projection[];
  readonly readers?: readonly CheckpointedReader[];
  readonly source?: EventSource;
  readonly database?: Database;
  readonly hold?: (shares: readonly Share[]) => Promise<void>;
}

/** Background runners of a spec, which are stopped together. */
export class SpecRunners {
  private readonly runners: BackgroundRunner[] = [];

  constructor(private readonly log: SpecLog) {}

  open({ projections = [], readers = [], source, database, hold, ...options }: RunnerParts): BackgroundRunner {
    const deps = {
      ...this.log.deps,
      ...(source && { source }),
      ...(database && { database }),
      ...(hold && { hold }),
      store: this.log.store,
      log: pino({ level: 'silent' }),
    };
    const runner = new BackgroundRunner(deps, projections, readers, { pageSize: 10, ...options });
    this.runners.push(runner);
    return runner;
  }

  /** Opens a runner whose followers are live. */
  async openLive(parts: RunnerParts): Promise<BackgroundRunner> {
    await this.log.store.ensureLive(parts.projections ?? []);
    await this.log.store.ensureReaders(parts.readers ?? []);
    return this.open(parts);
  }

  async stop(): Promise<void> {
    for (const runner of this.runners.splice(0)) await runner.stop();
  }
}

/** Resolves when a runner has handled everything that is in the log. */
export async function caughtUp(runner: BackgroundRunner): Promise<void> {
  await runner.poll();
  await runner.settled();
}
