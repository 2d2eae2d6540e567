import type { Migration } from '@annals/kernel';

/**
 * When users were last active. This is neither part of the log nor derived from it (decision 53). Times are in ms since the
 * epoch.
 *
 * - `presences`: a row for each user who has pinged in the last `KEPT_DAYS` days.
 * - `presence_heads`: the highest `update_id` of a realm. A batch locks its row until it commits, so a reader who has read
 *   an `update_id` has read all lower ones.
 */
const SQL = `
CREATE TABLE presences (
  realm_id int4,
  user_id int8,
  active_at int8 NOT NULL,
  connected_at int8 NOT NULL,
  update_id int8 NOT NULL,
  PRIMARY KEY (realm_id, user_id)
) WITH (fillfactor = 50);
CREATE INDEX presences_by_update ON presences (realm_id, update_id);

CREATE TABLE presence_heads (
  realm_id int4 PRIMARY KEY,
  update_id int8 NOT NULL
);
`;

export const presenceMigrations: readonly Migration[] = [{ name: 'Presence', written: 1795654800000, sql: SQL }];
