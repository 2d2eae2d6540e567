import type { Migration } from '@annals/kernel';
import type { ClientBase } from 'pg';

/**
 * Texts whose links a worker has to look at. A reader of the log writes a row together with its checkpoint, so none is
 * lost. A worker that takes a row moves `due_at` ahead, so that it is due again if the worker dies. Times are in ms
 * since the epoch.
 */
const LINK_PREVIEW_TASKS_SQL = `
CREATE TABLE link_preview_tasks (
  realm_id int4,
  message_id int8,
  content_position int8 NOT NULL,
  attempts int4 NOT NULL,
  due_at int8 NOT NULL,
  PRIMARY KEY (realm_id, message_id)
);
CREATE INDEX link_preview_tasks_due ON link_preview_tasks (realm_id, due_at);
`;

export const messagesMigrations: readonly Migration[] = [
  { name: 'LinkPreviewTasks', written: 1795687200001, sql: LINK_PREVIEW_TASKS_SQL },
];

/** Deletes tasks of messages that a restore removed from the log. */
export async function forgetPreviewTasks(client: ClientBase): Promise<string> {
  const { rowCount } = await client.query(
    `DELETE FROM link_preview_tasks t USING realm_heads h
      WHERE t.realm_id = h.realm_id AND (t.message_id > h.position OR t.content_position > h.position)`,
  );
  return `${rowCount ?? 0} link previews dropped`;
}
