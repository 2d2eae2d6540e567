import type { Migration } from './migration';
import { STORAGE_CLEANUP_SQL } from '../erasure/cleanup-schema';
import { deletionMigrations } from '../deletion/schema';
import { fileMigrations } from '../files/schema';
import { logSizeMigrations } from '../log/log-sizes-schema';
import { LOG_SCHEMA_SQL } from '../log/schema';
import { PROJECTION_SCHEMA_SQL, SIDE_BY_SIDE_SQL, VERSIONED_SCHEMAS_SQL } from '../projections/schema';
import { proofMigrations } from '../proof/schema';
import { GIN_INDEXES_SQL } from '../projections/definition/tables';
import { idMigrations } from './id-counters';
import { PASTS_SQL } from '../past/whole/schema';
import { FOLLOWER_PROCESSES_SQL } from '../projections/running/membership';

/** The migrations of the kernel. Contexts declare theirs in their definition. */
export const kernelMigrations: readonly Migration[] = [
  { name: 'Log', written: 1795132800000, sql: LOG_SCHEMA_SQL },
  { name: 'Projections', written: 1795132800001, sql: PROJECTION_SCHEMA_SQL },
  ...fileMigrations,
  // Entries of an index must be short, which secrets may not be. The users context has an index of digests of keys.
  { name: 'SecretsById', written: 1795348800001, sql: 'DROP INDEX secrets_by_value' },
  { name: 'SchemasOfVersions', written: 1795440000000, sql: VERSIONED_SCHEMAS_SQL },
  { name: 'SideBySide', written: 1795440000001, sql: SIDE_BY_SIDE_SQL },
  { name: 'FollowerProcesses', written: 1795440000002, sql: FOLLOWER_PROCESSES_SQL },
  { name: 'GinIndexes', written: 1795479600000, sql: GIN_INDEXES_SQL },
  { name: 'StorageCleanup', written: 1795647600000, sql: STORAGE_CLEANUP_SQL },
  { name: 'Pasts', written: 1795647600001, sql: PASTS_SQL },
  ...proofMigrations,
  ...deletionMigrations,
  ...logSizeMigrations,
  ...idMigrations,
];
