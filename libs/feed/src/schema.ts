import type { Migration } from '@annals/kernel';

/**
 * Tables of the feed. Times are milliseconds since the epoch.
 *
 * - `client_queues`: the queues of clients, as cursors. They are no history: nothing rebuilds them, and without one its
 *   client registers again. Nothing after the id `cursor` up to the position `seen` is for the queue.
 * - `client_events`: what clients see of the log where it does not follow from the log alone, once per event, never per
 *   recipient. Translation writes it from the log and could do so again. It has a partition for each week; `client_events_rest`
 *   has what belongs to none.
 * - `client_event_horizons`: up to which position client events are gone.
 */
const FEED_SCHEMA_SQL = `
CREATE TABLE client_queues (
  realm_id int4,
  id uuid,
  user_id int8 NOT NULL,
  registered int8 NOT NULL,
  profile json NOT NULL,
  cursor int8 NOT NULL,
  seen int8 NOT NULL,
  last_contact int8 NOT NULL,
  PRIMARY KEY (realm_id, id)
) WITH (fillfactor = 80);
CREATE INDEX client_queues_by_user ON client_queues (realm_id, user_id);

CREATE TABLE client_events (
  realm_id int4,
  position int8,
  k int4,
  type text NOT NULL,
  audience json NOT NULL,
  payload json NOT NULL,
  at int8 NOT NULL,
  PRIMARY KEY (realm_id, position, k)
);

CREATE TABLE client_event_horizons (
  realm_id int4 PRIMARY KEY,
  position int8 NOT NULL
);
`;

/**
 * Queues from before this migration count as very old: all signals from now on were sent after they were registered.
 */
const REGISTERED_AT_SQL = 'ALTER TABLE client_queues ADD COLUMN registered_at int8 NOT NULL DEFAULT 0';

/**
 * From here on only some client events are stored. The translation has a new name, so processes of earlier versions do
 * not find its checkpoint. Their workers store nothing, and their apis deliver nothing that happens from now on, rather
 * than leave out what is no longer stored. Their clients continue at an api of this version.
 */
const ONLY_STORED_SQL = `
UPDATE projections SET name = 'stored_client_events' WHERE name = 'client_events';
UPDATE projection_checkpoints SET projection = 'stored_client_events' WHERE projection = 'client_events';
UPDATE parked_events SET projection = 'stored_client_events' WHERE projection = 'client_events';
`;

/**
 * From here on client events are in partitions by time, which are dropped when they are old. What was stored before
 * stays where it is, as the partition for times that have none. The key is that of each partition: PostgreSQL would
 * require the time in a key of the whole table, and all client events of a position have one time.
 */
const PARTITIONED_SQL = `
ALTER TABLE client_events RENAME TO client_events_rest;
CREATE TABLE client_events (LIKE client_events_rest) PARTITION BY RANGE (at);
ALTER TABLE client_events ATTACH PARTITION client_events_rest DEFAULT;
`;

export const feedMigrations: readonly Migration[] = [
  { name: 'Feed', written: 1795132800002, sql: FEED_SCHEMA_SQL },
  { name: 'FeedRegisteredAt', written: 1795435200000, sql: REGISTERED_AT_SQL },
  { name: 'FeedOnlyStored', written: 1795441000000, sql: ONLY_STORED_SQL },
  { name: 'FeedPartitioned', written: 1795456800000, sql: PARTITIONED_SQL },
];
