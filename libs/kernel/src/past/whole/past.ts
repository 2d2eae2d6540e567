import type { Clock, Instant } from '../../domain/index';
import { Kernel } from '../../kernel';
import { Repeated } from '../../work/repeated';
import { PastBuild } from './past-build';
import type { PastProgress } from './past-build';
import { PastClock } from './past-clock';
import type { PastKey } from './past-schema';
import { pastSchema } from './past-schema';
import type { PastRow } from './pasts';
import { dropLeftPasts, forgetPast, openPast, pastRow, withPastLock } from './pasts';

/** How often it is checked that the past may still be shown, in ms. */
const LOOK_MS = 1_000;

export interface PastOptions extends PastKey {
  /** The time that the past begins with. */
  readonly at: Instant;
  /** Called with each step of the build. */
  readonly onProgress?: (progress: PastProgress) => void;
  /** Ends it, also in the middle of its build. */
  readonly signal: AbortSignal;
  /** Events of a page of the build. */
  readonly pageSize?: number;
  readonly poolSize?: number;
}

/**
 * Serves a past until `over` aborts.
 *
 * @param kernel of the past: it reads as if the log ended at the position, and refuses every write
 * @param over aborts when the past has to be closed
 */
export type ServePast = (kernel: Kernel, over: AbortSignal) => Promise<void>;

/**
 * Builds all read models of an organization as they were at a position, in a schema of their own, and lets them be
 * served. In the end, the schema is dropped. What a killed process left is continued if it is the same position, and
 * dropped otherwise. If words that the past may contain are erased from the log, it is closed, dropped and built again.
 *
 * @param live kernel of the present. Nothing of it changes
 * @throws PastInUse if another process builds or serves the same position
 */
export async function withPast(live: Kernel, options: PastOptions, serve: ServePast): Promise<void> {
  const { realmId, position, signal } = options;
  const key = { realmId, position };
  await withPastLock(live.database, key, async () => {
    await dropLeftPasts(live.database, (row) => row.realmId !== realmId || row.position !== position);
    try {
      while (!signal.aborted) await showOnce(live, options, serve);
    } finally {
      await live.database.transaction('BEGIN', (client) => forgetPast(client, key));
    }
  });
}

/** Builds or continues to build a past and serves it, until `signal` aborts or its words were erased. */
async function showOnce(live: Kernel, options: PastOptions, serve: ServePast): Promise<void> {
  const clock = new PastClock(options.at, live.clock);
  const row = await openPast(live.database, options, live.projections, live.clock);
  const kernel = await openPastKernel(live, options, clock);
  const watch = new Watch(live, row, options.signal);
  try {
    await watch.start();
    if (!row.isComplete) await build(live, kernel, options, watch.over).catch((error: unknown) => watch.pass(error));
    if (!watch.over.aborted) await serve(kernel, watch.over);
  } finally {
    await watch.stop();
    await kernel.close();
  }
  if (watch.failure) throw watch.failure;
}

/** The kernel of a past. Its schema must be there. */
export async function openPastKernel(
  live: Kernel,
  options: PastKey & Pick<PastOptions, 'poolSize'>,
  clock: Clock,
): Promise<Kernel> {
  const { poolSize } = options;
  const { redisUrl: _redis, step: _step, ...same } = live.options;
  const past = { schema: pastSchema(options) };
  return Kernel.open({ ...same, past, clock, lanes: 1, ...(poolSize === undefined ? {} : { poolSize }) });
}

async function build(live: Kernel, kernel: Kernel, options: PastOptions, signal: AbortSignal): Promise<void> {
  const { onProgress, pageSize, realmId, position } = options;
  const { database, clock, projections } = kernel;
  const source = kernel.events.skippingUnknown();
  await new PastBuild(options, { database, source, clock, projections, onProgress, signal, pageSize }).run();
  await live.database.pool.query('UPDATE pasts SET is_complete = true WHERE realm_id = $1 AND position = $2', [
    realmId,
    position,
  ]);
}

/** Checks whether words were erased, whether the past was dropped, and whether the present is still the same one. */
class Watch {
  /** Why the past cannot be continued. Null if it ends, or is built again. */
  failure: Error | null = null;
  private readonly ending = new AbortController();
  /** Aborts when the past has to be closed. */
  readonly over: AbortSignal;
  private readonly looks = new Repeated(LOOK_MS, () => this.look());

  constructor(
    private readonly live: Kernel,
    private readonly row: PastRow,
    signal: AbortSignal,
  ) {
    this.over = AbortSignal.any([signal, this.ending.signal]);
    void live.takenBack.then((why) => this.fail(why));
    void live.models.retired.then((why) => this.fail(why));
  }

  /** For an error of a build: it has none if it only stopped because the past has to be closed. @throws the error */
  pass(error: unknown): void {
    if (!this.over.aborted) throw error;
  }

  async start(): Promise<void> {
    await this.look();
    this.looks.start();
  }

  stop(): Promise<void> {
    return this.looks.stop();
  }

  private async look(): Promise<void> {
    const now = await pastRow(this.live.database.pool, this.row).catch((error: Error) => error);
    if (now instanceof Error) this.live.options.log.warn({ err: now }, 'the past cannot be looked up; trying again');
    else if (now?.id !== this.row.id) this.fail('its schema was dropped');
    else if (now.hasErasedWords) this.ending.abort();
  }

  private fail(why: string): void {
    this.failure ??= new Error(`The past cannot be shown any more: ${why}.`);
    this.ending.abort();
  }
}
