import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * Mails to send, and those that were sent. Times are in ms since the epoch.
 *
 * - The key of a task has ids only. Its mail is written from what PostgreSQL knows when it is due.
 * - A worker that leases a task moves `due_at` ahead, so that the task is due again if the worker dies. `attempts` counts those
 *   that failed.
 * - `done_at`: the mail was sent, or nobody wanted it any more. The row remains for a while, so that its key causes no second
 *   mail.
 * - `parked`: why it was not sent, until an operator retries or discards it.
 * - `position`: of the event that caused it; null without one.
 * - `bounce_token`: a part of the address that bounces of the mail come to. Nobody can guess it. `user_id` is the account that
 *   got the mail.
 */
const SQL = `
CREATE TABLE mail_tasks (
  realm_id int4,
  kind text,
  key text,
  position int8,
  at int8 NOT NULL,
  due_at int8 NOT NULL,
  attempts int4 NOT NULL DEFAULT 0,
  done_at int8,
  parked text,
  user_id int8,
  bounce_token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
  PRIMARY KEY (realm_id, kind, key)
);
CREATE INDEX mail_tasks_due ON mail_tasks (realm_id, due_at) WHERE done_at IS NULL AND parked IS NULL;
CREATE INDEX mail_tasks_parked ON mail_tasks (realm_id, at) WHERE parked IS NOT NULL;
CREATE INDEX mail_tasks_by_age ON mail_tasks (realm_id, at);
CREATE UNIQUE INDEX mail_tasks_by_bounce ON mail_tasks (realm_id, bounce_token);
`;

export const mailMigrations: readonly Migration[] = [{ name: 'MailTasks', written: 1795715400000, sql: SQL }];

/** Deletes tasks of positions that a restore removed from the log: other events will have these positions. */
export async function forgetTasksAhead(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query(
    'DELETE FROM mail_tasks t USING realm_heads h WHERE t.realm_id = h.realm_id AND t.position > h.position',
  );
  return `${rowCount ?? 0} mails dropped`;
}
