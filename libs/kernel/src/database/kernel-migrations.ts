import type { Migration } from './migration';
import { fileMigrations } from '../files/schema';
import { LOG_SCHEMA_SQL } from '../log/schema';
import { PROJECTION_SCHEMA_SQL, SIDE_BY_SIDE_SQL, VERSIONED_SCHEMAS_SQL } from '../projections/schema';
import { FOLLOWER_PROCESSES_SQL } from '../projections/running/membership';

/** The kernel's own; contexts bring theirs in their definition. */
export const kernelMigrations: readonly Migration[] = [
  { name: 'Log', written: 1795132800000, sql: LOG_SCHEMA_SQL },
  { name: 'Projections', written: 1795132800001, sql: PROJECTION_SCHEMA_SQL },
  ...fileMigrations,
  // Nothing is looked up by a secret, and an entry of an index must be short, which not every secret is.
  { name: 'SecretsById', written: 1795348800001, sql: 'DROP INDEX secrets_by_value' },
  { name: 'SchemasOfVersions', written: 1795440000000, sql: VERSIONED_SCHEMAS_SQL },
  { name: 'SideBySide', written: 1795440000001, sql: SIDE_BY_SIDE_SQL },
  { name: 'FollowerProcesses', written: 1795440000002, sql: FOLLOWER_PROCESSES_SQL },
];
