import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * Tasks for the push service, and which users were notified. Times are in ms since the epoch.
 *
 * - `push_errands`: one row for an event, however many users it concerns. A reader of the log writes it together with its
 *   checkpoint, so no task is lost. Users up to `after_user` are done. A worker that leases a task moves `due_at` ahead, so that
 *   the task is due again if the worker dies. `given_up` is the reason of a dead letter.
 * - `message_id`: the message that a task is about; null without one.
 * - `pushed_messages`: users whose devices show a message. The notifications are removed when it is deleted or read.
 */
const SQL = `
CREATE TABLE push_errands (
  realm_id int4,
  position int8,
  kind text NOT NULL,
  at int8 NOT NULL,
  after_user int8 NOT NULL,
  attempts int4 NOT NULL,
  due_at int8 NOT NULL,
  given_up text,
  PRIMARY KEY (realm_id, position)
);
CREATE INDEX push_errands_due ON push_errands (realm_id, due_at) WHERE given_up IS NULL;

CREATE TABLE pushed_messages (
  realm_id int4,
  message_id int8,
  first_user int8,
  user_ids int8[] NOT NULL,
  at int8 NOT NULL,
  PRIMARY KEY (realm_id, message_id, first_user)
);
CREATE INDEX pushed_messages_by_age ON pushed_messages (realm_id, at);
`;

/** An edit has its own task, which is found by the message. */
const EDITS_SQL = `
ALTER TABLE push_errands ADD COLUMN message_id int8;
UPDATE push_errands SET message_id = position WHERE kind = 'message';
CREATE INDEX push_errands_by_message ON push_errands (realm_id, message_id) WHERE given_up IS NULL;
`;

/** One row for each user who was notified, so that it can be deleted when that user has read the message. */
const READING_SQL = `
INSERT INTO pushed_messages (realm_id, message_id, first_user, user_ids, at)
  SELECT p.realm_id, p.message_id, u.id, ARRAY[u.id], p.at FROM pushed_messages AS p CROSS JOIN unnest(p.user_ids) AS u(id)
  WHERE u.id <> p.first_user ON CONFLICT DO NOTHING;
UPDATE pushed_messages SET user_ids = ARRAY[first_user] WHERE cardinality(user_ids) > 1;
CREATE INDEX pushed_messages_by_user ON pushed_messages (realm_id, first_user, message_id);
`;

export const pushMigrations: readonly Migration[] = [
  { name: 'Push', written: 1795348800000, sql: SQL },
  { name: 'PushOfEdits', written: 1795392000000, sql: EDITS_SQL },
  { name: 'PushOfReading', written: 1795489200000, sql: READING_SQL },
];

/** Deletes tasks of positions that a restore removed from the log. */
export async function forgetAhead(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query(
    'DELETE FROM push_errands e USING realm_heads h WHERE e.realm_id = h.realm_id AND e.position > h.position',
  );
  await client.query(
    'DELETE FROM pushed_messages m USING realm_heads h WHERE m.realm_id = h.realm_id AND m.message_id > h.position',
  );
  return `${rowCount ?? 0} tasks to the push service dropped`;
}
