import type { Migration } from '@annals/kernel';

/**
 * Runs that make accounts follow directories. Times are in ms since the epoch. A row without an end is of a run that goes
 * on, or whose process ended. The newest rows of each directory are kept.
 */
const SQL = `
CREATE TABLE directory_runs (
  realm_id int4,
  directory text,
  started_at int8,
  finished_at int8,
  outcome text,
  reason text,
  counts text,
  PRIMARY KEY (realm_id, directory, started_at)
);
`;

export const directoryMigrations: readonly Migration[] = [{ name: 'DirectoryRuns', written: 1795712400003, sql: SQL }];
