import type { Kernel, Lag, PastRow, ProjectionRow, QueueFigures } from '@annals/kernel';
import { pastRows } from '@annals/kernel';
import type { Position, RealmId } from '@annals/kernel/domain';
import { readLastRuns } from '@annals/provisioning';

interface Report {
  readonly heads: readonly { realmId: RealmId; position: Position; at: string }[];
  readonly readModels: readonly {
    name: string;
    lifecycle: string;
    live: number | null;
    declared: number | null;
    building: number | null;
  }[];
  readonly lags: readonly Lag[];
  readonly parked: readonly { name: string; realmId: RealmId; position: Position; error: string; since: string }[];
  readonly queues: readonly QueueFigures[];
  /** The last run that followed each directory. */
  readonly directories: readonly {
    realmId: RealmId;
    directory: string;
    at: string;
    outcome: string;
    reason: string | null;
  }[];
  /** Built or served by `annals past`, or left by one that was killed. */
  readonly pasts: readonly Omit<PastRow, 'id'>[];
}

/** How long a Redis that is away is waited for. */
const QUEUES_PATIENCE_MS = 2_000;

/**
 * `annals status`: the first questions of an operator.
 *
 * @returns 0 when all is well, 1 when something is parked or is beyond the end of a log
 */
export async function status(kernel: Kernel, json: boolean, print: (line: string) => void): Promise<number> {
  const report = await gather(kernel);
  if (json) print(JSON.stringify(report));
  else for (const line of describe(report)) print(line);
  return report.parked.length === 0 && report.lags.every(({ ahead }) => ahead === 0) ? 0 : 1;
}

async function gather(kernel: Kernel): Promise<Report> {
  const { pool } = kernel.database;
  const rows = await kernel.store.rows();
  const declared = new Map(kernel.projections.map((projection) => [projection.name, projection.version]));
  const heads = await pool.query<{ realm_id: RealmId; position: Position; at: number }>(
    'SELECT realm_id, position, at FROM realm_heads ORDER BY realm_id',
  );
  const lags = await kernel.lags();
  const parked = await kernel.store.parked();
  const queues = await kernel.queues();
  await queues.whenReachable(QUEUES_PATIENCE_MS);
  return {
    heads: heads.rows.map(({ realm_id, position, at }) => ({ realmId: realm_id, position, at: iso(at) })),
    readModels: [...rows.values()]
      .filter(({ lifecycle }) => lifecycle !== 'reader')
      .map((row) => readModel(row, declared)),
    lags,
    parked: parked.map(({ projection, realmId, position, error, parkedAt }) => ({
      name: projection,
      realmId,
      position,
      error,
      since: iso(parkedAt),
    })),
    queues: await kernel.queueFigures(),
    directories: (await readLastRuns(pool)).map(({ realmId, directory, startedAt, outcome, reason }) => ({
      ...{ realmId, directory, at: iso(startedAt), outcome: outcome ?? 'unfinished', reason },
    })),
    pasts: (await pastRows(pool)).map(({ id: _id, ...row }) => row),
  };
}

function readModel(row: ProjectionRow, declared: ReadonlyMap<string, number>): Report['readModels'][number] {
  const { name, lifecycle, version, nextVersion } = row;
  return { name, lifecycle, live: version, declared: declared.get(name) ?? null, building: nextVersion };
}

function describe(report: Report): string[] {
  const lines = ['Logs'];
  for (const { realmId, position, at } of report.heads)
    lines.push(`  realm ${realmId}: ${position} events, last ${at}`);
  if (report.heads.length === 0) lines.push('  none: run annals setup');
  lines.push('Read models');
  for (const { name, lifecycle, live, declared, building } of report.readModels) {
    const state = live === declared ? 'live' : `live ${live ?? 'not'}, wanted ${declared ?? 'not'}`;
    lines.push(
      `  ${name} v${declared ?? live}: ${lifecycle}, ${state}${building === null ? '' : `, building v${building}`}`,
    );
  }
  lines.push('Followers');
  for (const { name, isBuild, realmId, position, behind, ahead, parked } of report.lags) {
    const where = ahead > 0 ? `${ahead} BEYOND THE END OF THE LOG: run "annals restored"` : `${behind} behind`;
    lines.push(
      `  ${name}${isBuild ? ' (building)' : ''}, realm ${realmId}: at ${position}, ${where}${parked ? ', PARKED' : ''}`,
    );
  }
  lines.push('Queues');
  for (const { name, counts, oldestDueMs, givenUp } of report.queues) {
    const listed = counts && Object.entries(counts).map(([what, n]) => `${n} ${what}`);
    const due = oldestDueMs ? `, oldest due for ${Math.ceil(oldestDueMs / 1_000)} s` : '';
    const gone = givenUp?.count ? `, ${givenUp.count} failed: see "${givenUp.listedBy}"` : '';
    lines.push(
      `  ${name}: ${listed ? listed.join(', ') : 'their store cannot be reached; work is found by looking every second'}${due}${gone}`,
    );
  }
  if (report.directories.length > 0) lines.push('Directories');
  for (const { directory, realmId, at, outcome, reason } of report.directories)
    lines.push(`  ${directory}, realm ${realmId}: ${outcome} at ${at}${reason === null ? '' : `: ${reason}`}`);
  if (report.pasts.length > 0) lines.push('Pasts');
  for (const { realmId, position, isComplete } of report.pasts)
    lines.push(`  realm ${realmId} at ${position}: ${isComplete ? 'complete' : 'incomplete'}`);
  lines.push(report.parked.length === 0 ? 'Nothing is parked.' : 'Parked');
  for (const { name, realmId, position, error, since } of report.parked) {
    lines.push(`  ${name}, realm ${realmId}, position ${position}, since ${since}: ${error}`);
  }
  return lines;
}

const iso = (ms: number) => new Date(ms).toISOString();
