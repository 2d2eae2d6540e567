import type { Migration } from '../database/migration';

/** Stored bytes of which it is open whether an event names them. `at` is in milliseconds. */
const UNSETTLED_FILES_SQL = `
CREATE TABLE unsettled_files (
  realm_id int4,
  key text,
  at int8 NOT NULL,
  PRIMARY KEY (realm_id, key)
);
`;

/** For all kinds of bytes, not only for uploads. Each kind has keys of its own. */
const KINDS_SQL = `
ALTER TABLE unsettled_files ADD COLUMN kind text NOT NULL DEFAULT 'uploads';
ALTER TABLE unsettled_files ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE unsettled_files DROP CONSTRAINT unsettled_files_pkey;
ALTER TABLE unsettled_files ADD PRIMARY KEY (realm_id, kind, key);
`;

export const fileMigrations: readonly Migration[] = [
  { name: 'Files', written: 1795334400000, sql: UNSETTLED_FILES_SQL },
  { name: 'KindsOfBytes', written: 1795341600000, sql: KINDS_SQL },
];
