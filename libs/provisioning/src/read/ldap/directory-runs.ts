import type { Instant, RealmId } from '@annals/kernel/domain';
import { isActiveSql } from '@annals/realm';
import type { Pool } from 'pg';
import type { RunCounts } from '../../domain/ldap/events';

/**
 * How a run ended. `refused`: it would have deactivated too many accounts, so that it changed nothing, or the log was full, so
 * that it only deactivated accounts.
 */
export type RunOutcome = 'done' | 'refused' | 'failed';

/** A run that makes accounts follow a directory. */
export interface DirectoryRun {
  readonly realmId: RealmId;
  readonly directory: string;
  readonly startedAt: Instant;
  /** Null: it goes on, or its process ended. */
  readonly finishedAt: Instant | null;
  readonly outcome: RunOutcome | null;
  /** Why it was refused or failed. */
  readonly reason: string | null;
  readonly counts: RunCounts | null;
}

/** The newest runs of each directory that are kept. */
const KEPT_RUNS = 100;

const COLUMNS = `realm_id AS "realmId", directory, started_at AS "startedAt", finished_at AS "finishedAt", outcome, reason,
  counts`;

type Row = Omit<DirectoryRun, 'counts'> & { readonly counts: string | null };

const runOf = ({ counts, ...row }: Row): DirectoryRun => ({
  ...row,
  counts: counts === null ? null : (JSON.parse(counts) as RunCounts),
});

/** The last run of each directory, of one organization or of all. */
export async function readLastRuns(pool: Pool, realmId: RealmId | null = null): Promise<DirectoryRun[]> {
  const { rows } = await pool.query<Row>({
    name: 'directory-runs-last',
    text: `SELECT DISTINCT ON (realm_id, directory) ${COLUMNS} FROM directory_runs
      WHERE $1::int4 IS NULL OR realm_id = $1 ORDER BY realm_id, directory, started_at DESC`,
    values: [realmId],
  });
  return rows.map(runOf);
}

/** Records that a run begins, and forgets old runs. */
export async function beginRun(
  pool: Pool,
  run: Pick<DirectoryRun, 'realmId' | 'directory' | 'startedAt'>,
): Promise<void> {
  const { realmId, directory, startedAt } = run;
  await pool.query({
    name: 'directory-runs-begin',
    text: `INSERT INTO directory_runs (realm_id, directory, started_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [realmId, directory, startedAt],
  });
  await pool.query({
    name: 'directory-runs-forget',
    text: `DELETE FROM directory_runs WHERE realm_id = $1 AND directory = $2 AND started_at < (
      SELECT min(started_at) FROM (SELECT started_at FROM directory_runs WHERE realm_id = $1 AND directory = $2
        ORDER BY started_at DESC LIMIT $3) AS newest)`,
    values: [realmId, directory, KEPT_RUNS],
  });
}

/** Records how a run ended. */
export async function endRun(pool: Pool, run: DirectoryRun): Promise<void> {
  const { realmId, directory, startedAt, finishedAt, outcome, reason, counts } = run;
  await pool.query({
    name: 'directory-runs-end',
    text: `UPDATE directory_runs SET finished_at = $4, outcome = $5, reason = $6, counts = $7
      WHERE realm_id = $1 AND directory = $2 AND started_at = $3`,
    values: [realmId, directory, startedAt, finishedAt, outcome, reason, counts && JSON.stringify(counts)],
  });
}

/**
 * Active organizations in which a directory is to be synchronized now: its last run began long enough ago, or did not end.
 *
 * @param subdomains the names of organizations that use it. Null for all
 */
export async function readDueRealms(
  pool: Pool,
  { directory, subdomains, before }: { directory: string; subdomains: readonly string[] | null; before: Instant },
): Promise<RealmId[]> {
  const { rows } = await pool.query<{ realmId: RealmId }>({
    name: 'directory-runs-due',
    text: `SELECT r.realm_id AS "realmId" FROM view.realms AS r
      WHERE ($2::text[] IS NULL OR r.subdomain = ANY($2)) AND ${isActiveSql('r.realm_id')}
        AND NOT EXISTS (SELECT FROM directory_runs AS d
        WHERE d.realm_id = r.realm_id AND d.directory = $1 AND d.finished_at IS NOT NULL AND d.started_at > $3)
      ORDER BY 1`,
    values: [directory, subdomains, before],
  });
  return rows.map(({ realmId }) => realmId);
}
