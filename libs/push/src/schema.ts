import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * What is to be asked of the push service, and what must be remembered of what was asked. Times are milliseconds since the
 * epoch.
 *
 * - `push_errands`: one for an event, whoever it concerns. Readers of the log write them with their checkpoint, so none is
 *   forgotten; pages of recipients up to `after_user` are done. Whoever works on one moves `due_at` ahead of that, so that
 *   it comes up again if they die. `given_up` says why nobody works on it any more.
 * - `message_id`: the message that a task is about; null where it is about none.
 * - `pushed_messages`: whose devices show a message, a page of people in a row: they are told when it goes.
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

/** The edit of a message is a task of its own, found by the message like that of the message itself. */
const EDITS_SQL = `
ALTER TABLE push_errands ADD COLUMN message_id int8;
UPDATE push_errands SET message_id = position WHERE kind = 'message';
CREATE INDEX push_errands_by_message ON push_errands (realm_id, message_id) WHERE given_up IS NULL;
`;

export const pushMigrations: readonly Migration[] = [
  { name: 'Push', written: 1795348800000, sql: SQL },
  { name: 'PushOfEdits', written: 1795392000000, sql: EDITS_SQL },
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
