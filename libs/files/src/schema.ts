import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * Images that a worker is decoding now. A row is deleted when the decoder returns, so one that remains is of a process
 * that died meanwhile. `attempts` counts these processes.
 */
const ATTEMPTS_SQL = `
CREATE TABLE image_attempts (
  realm_id int4,
  file_id int8,
  attempts int4 NOT NULL,
  PRIMARY KEY (realm_id, file_id)
);
`;

/** No other worker decodes an image until then, in ms since the epoch. */
const LEASES_SQL = 'ALTER TABLE image_attempts ADD COLUMN leased_until int8 NOT NULL DEFAULT 0';

export const filesMigrations: readonly Migration[] = [
  { name: 'ImageAttempts', written: 1795687200000, sql: ATTEMPTS_SQL },
  { name: 'ImageLeases', written: 1795734000000, sql: LEASES_SQL },
];

/** Images are decoded anew after a restore, because an id may be that of another file now. */
export async function forgetAttempts(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query('DELETE FROM image_attempts');
  return `${rowCount ?? 0} attempts to decode images dropped`;
}
