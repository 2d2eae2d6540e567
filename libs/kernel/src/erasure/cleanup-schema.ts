/**
 * For a migration: what the cleanup after erasures needs.
 *
 * - `storage_cleanup`: one row. `erasures` counts what erased something, `cleaned` is the count that the last complete cleanup
 *   found, and `due_at` is the earliest time of the next one (ms). An installation that has a log already may have erased.
 * - PostgreSQL collects no statistics of these columns any more. Those of salts would help to guess what was erased.
 */
export const STORAGE_CLEANUP_SQL = `
CREATE TABLE storage_cleanup (erasures int8 NOT NULL, cleaned int8 NOT NULL, due_at int8 NOT NULL);
INSERT INTO storage_cleanup SELECT count(*), 0, 0 FROM (SELECT FROM realm_heads WHERE position > 0 LIMIT 1) AS used;
ALTER TABLE events ALTER COLUMN sealed SET STATISTICS 0, ALTER COLUMN salt SET STATISTICS 0;
ALTER TABLE secrets ALTER COLUMN value SET STATISTICS 0;
`;
