import type { Migration } from '@annals/kernel';

/** `unsettled_files`: bytes that are kept, of which it is open whether an event names them. `at` is milliseconds. */
const FILES_SCHEMA_SQL = `
CREATE TABLE unsettled_files (
  realm_id int4,
  key text,
  at int8 NOT NULL,
  PRIMARY KEY (realm_id, key)
);
`;

export const filesMigrations: readonly Migration[] = [{ name: 'Files', written: 1795334400000, sql: FILES_SCHEMA_SQL }];
