import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * Mails about messages on their way. Times are in ms since the epoch. Rows have ids and no texts.
 *
 * - `email_tasks`: one row for an event that may concern somebody, however many users. A reader of the log writes it together with its
 *   checkpoint, so no task is lost. Users up to `after_user` are done. A worker that leases a task moves `due_at` ahead.
 * - `missed_messages`: users who may get a mail about a message. `batch` is null until the mail is due, then the key of the mail. The
 *   row remains, so that no second mail is about the same message.
 * - `digest_runs`: how far the users of an organization have got their digest of a week.
 */
const SQL = `
CREATE TABLE email_tasks (
  realm_id int4,
  position int8,
  message_id int8 NOT NULL,
  is_edit bool NOT NULL,
  at int8 NOT NULL,
  after_user int8 NOT NULL,
  attempts int4 NOT NULL,
  due_at int8 NOT NULL,
  PRIMARY KEY (realm_id, position)
);
CREATE INDEX email_tasks_due ON email_tasks (realm_id, due_at);
CREATE INDEX email_tasks_by_message ON email_tasks (realm_id, message_id);

CREATE TABLE missed_messages (
  realm_id int4,
  user_id int8,
  message_id int8,
  at int8 NOT NULL,
  due_at int8 NOT NULL,
  batch text,
  PRIMARY KEY (realm_id, user_id, message_id)
);
CREATE INDEX missed_messages_due ON missed_messages (realm_id, due_at) WHERE batch IS NULL;
CREATE INDEX missed_messages_waiting ON missed_messages (realm_id, user_id) WHERE batch IS NULL;
CREATE INDEX missed_messages_by_batch ON missed_messages (realm_id, batch) WHERE batch IS NOT NULL;
CREATE INDEX missed_messages_by_message ON missed_messages (realm_id, message_id);
CREATE INDEX missed_messages_by_age ON missed_messages (realm_id, at) WHERE batch IS NOT NULL;

CREATE TABLE digest_runs (
  realm_id int4,
  week int4,
  at int8 NOT NULL,
  after_user int8 NOT NULL,
  is_done bool NOT NULL,
  PRIMARY KEY (realm_id, week)
);
`;

export const emailNotificationMigrations: readonly Migration[] = [
  { name: 'EmailNotifications', written: 1795713600007, sql: SQL },
];

/** Deletes what is about positions that a restore removed from the log. */
export async function forgetAhead(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query(
    'DELETE FROM email_tasks e USING realm_heads h WHERE e.realm_id = h.realm_id AND e.position > h.position',
  );
  const { rowCount: missed } = await client.query(
    'DELETE FROM missed_messages m USING realm_heads h WHERE m.realm_id = h.realm_id AND m.message_id > h.position',
  );
  // Ids of users and conversations are given again, so addresses and links of the mails of before are not valid any more.
  await client.query(`DELETE FROM secrets WHERE kind = 'mail-links'`);
  return `${rowCount ?? 0} tasks for mails and ${missed ?? 0} missed messages dropped`;
}
