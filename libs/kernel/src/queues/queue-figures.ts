import type { Pool } from 'pg';
import type { Clock } from '../domain/index';
import type { FailedJob, QueueCounts } from './job';
import type { QueueDeclaration } from './queue-declaration';
import type { Queues } from './queues';

/** The figures of a queue, for operators. */
export interface QueueFigures {
  readonly name: string;
  /** Null while the store of the jobs is unavailable. */
  readonly counts: QueueCounts | null;
  /** Age in ms of the oldest job that is due and not done. 0 without one, null if it cannot be read. */
  readonly oldestDueMs: number | null;
  /** The dead letters of the queue, if any. The count is null if it cannot be read. In `annals status --json`. */
  readonly givenUp?: { readonly count: number | null; readonly listedBy: string };
}

/** The figures of a queue, with the jobs that failed last. */
export interface QueueReport extends QueueFigures {
  /** Newest first. Null while the store of the jobs is unavailable. */
  readonly failed: readonly FailedJob[] | null;
}

export interface QueueFiguresDeps {
  readonly declarations: readonly QueueDeclaration[];
  readonly pool: Pool;
  readonly clock: Clock;
  readonly queues: () => Promise<Queues>;
}

/** Figures must be returned although the store of the jobs does not answer. */
const PATIENCE_MS = 2_000;

/** Figures of every queue. What cannot be read in time is null, and the rest is returned. */
export function queueFigures(deps: QueueFiguresDeps): Promise<QueueFigures[]> {
  return Promise.all(deps.declarations.map((declaration) => figuresOf(declaration, deps)));
}

/** The same, with up to `limit` failed jobs of each queue. */
export function queueReports(deps: QueueFiguresDeps, limit: number): Promise<QueueReport[]> {
  return Promise.all(
    deps.declarations.map(async (declaration) => {
      const [figures, failed] = await Promise.all([
        figuresOf(declaration, deps),
        inTime(async () => (await deps.queues()).failed(declaration.name, limit)),
      ]);
      return { ...figures, failed };
    }),
  );
}

async function figuresOf(declaration: QueueDeclaration, deps: QueueFiguresDeps): Promise<QueueFigures> {
  const { name, deadLetters } = declaration;
  const [counts, oldestDueMs, count] = await Promise.all([
    inTime(async () => (await deps.queues()).counts(name)),
    inTime(() => oldestDueMsOf(declaration, deps)),
    deadLetters ? inTime(() => deadLetters.count(deps.pool)) : null,
  ]);
  return { name, counts, oldestDueMs, ...(deadLetters && { givenUp: { count, listedBy: deadLetters.listedBy } }) };
}

async function oldestDueMsOf({ name, oldestDue }: QueueDeclaration, deps: QueueFiguresDeps): Promise<number> {
  if (!oldestDue) return (await deps.queues()).oldestMs(name);
  const now = deps.clock.now();
  return Math.max(0, now - ((await oldestDue(deps.pool, now)) ?? now));
}

async function inTime<T>(read: () => Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  return Promise.race([read().catch(() => null), late]).finally(() => clearTimeout(timer));
}
