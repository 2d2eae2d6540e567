import type { Migration } from '../database/migration';

/**
 * The hash tree of each log, in tiles of 256 hashes (C2SP tlog-tiles). The last tile of a level may have less. The tree
 * ends at the newest signed checkpoint, or before it while it is built.
 */
const TREE_SQL = `
CREATE TABLE tree_tiles (
  realm_id int4,
  level int2,
  index int8,
  hashes bytea NOT NULL,
  PRIMARY KEY (realm_id, level, index)
);
ALTER TABLE tree_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE tree_sizes (
  realm_id int4 PRIMARY KEY,
  size int8 NOT NULL
);
`;

export const proofMigrations: readonly Migration[] = [{ name: 'TreeTiles', written: 1795651200000, sql: TREE_SQL }];
