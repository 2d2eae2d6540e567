import type { Migration } from '../database/migration';

/** Bytes of a log up to a position. Derived, so that it is measured again where it is missing or wrong. */
const LOG_SIZES_SQL = `
CREATE TABLE log_sizes (
  realm_id int4 PRIMARY KEY,
  through int8 NOT NULL,
  bytes int8 NOT NULL
) WITH (fillfactor = 50);
`;

export const logSizeMigrations: readonly Migration[] = [
  { name: 'LogSizes', written: 1795707600001, sql: LOG_SIZES_SQL },
];
