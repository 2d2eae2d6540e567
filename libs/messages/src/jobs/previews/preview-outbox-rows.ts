import type { DueSearch } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { isActiveSql } from '@annals/realm';
import type { ClientBase, Pool } from 'pg';
import type { PreviewedText } from '../../application/previews/preview-links';

/** Workers that may die while they look at the links of a text. */
const MAX_ATTEMPTS = 3;

/** Adds tasks. A newer text of a message replaces the older one. */
export async function addPreviewTasks(
  client: ClientBase,
  realmId: RealmId,
  texts: readonly PreviewedText[],
): Promise<void> {
  for (const { messageId, contentPosition } of texts) {
    await client.query({
      name: 'messages-add-preview-task',
      text: `INSERT INTO link_preview_tasks (realm_id, message_id, content_position, attempts, due_at)
        VALUES ($1, $2, $3, 0, 0) ON CONFLICT (realm_id, message_id)
        DO UPDATE SET content_position = excluded.content_position, attempts = 0, due_at = 0`,
      values: [realmId, messageId, contentPosition],
    });
  }
}

/** The organizations with tasks that are due, and that are in use. */
export const REALMS_WITH_DUE_PREVIEWS: DueSearch = {
  name: 'link-previews',
  sql: `SELECT DISTINCT d.realm_id AS id FROM link_preview_tasks AS d
    WHERE d.due_at <= $1 AND ${isActiveSql('d.realm_id')}`,
};

/** Takes due tasks of an organization until a time, and drops those that too many workers have died of. */
export async function leasePreviewTasks(
  pool: Pool,
  realmId: RealmId,
  lease: { readonly now: Instant; readonly until: Instant; readonly limit: number },
): Promise<PreviewedText[]> {
  const { rows } = await pool.query<PreviewedText>({
    name: 'messages-lease-preview-tasks',
    text: `WITH dropped AS (
        DELETE FROM link_preview_tasks WHERE realm_id = $1 AND due_at <= $2 AND attempts >= ${MAX_ATTEMPTS})
      UPDATE link_preview_tasks AS t SET due_at = $3, attempts = t.attempts + 1 FROM (
        SELECT d.realm_id, d.message_id FROM link_preview_tasks AS d
        WHERE d.realm_id = $1 AND d.due_at <= $2 AND d.attempts < ${MAX_ATTEMPTS} AND ${isActiveSql('d.realm_id')}
        ORDER BY d.due_at, d.message_id LIMIT $4 FOR UPDATE SKIP LOCKED) AS taken
      WHERE t.realm_id = taken.realm_id AND t.message_id = taken.message_id
      RETURNING t.realm_id AS "realmId", t.message_id AS "messageId", t.content_position AS "contentPosition"`,
    values: [realmId, lease.now, lease.until, lease.limit],
  });
  return rows;
}

/** Deletes a finished task, unless the message has a newer text. */
export async function completePreviewTask(
  pool: Pool,
  { realmId, messageId, contentPosition }: PreviewedText,
): Promise<void> {
  await pool.query({
    name: 'messages-end-preview-task',
    text: 'DELETE FROM link_preview_tasks WHERE realm_id = $1 AND message_id = $2 AND content_position = $3',
    values: [realmId, messageId, contentPosition],
  });
}

/** The time since which the oldest task is due; null for none. */
export async function oldestPreviewTask(pool: Pool, now: Instant): Promise<Instant | null> {
  const { rows } = await pool.query<{ due: Instant | null }>({
    name: 'messages-oldest-preview-task',
    // A new task has no time of its own.
    text: `SELECT CASE WHEN min(t.due_at) = 0 THEN $1::int8 ELSE min(t.due_at) END AS due
      FROM link_preview_tasks AS t WHERE t.due_at <= $1 AND ${isActiveSql('t.realm_id')}`,
    values: [now],
  });
  return rows[0]?.due ?? null;
}
