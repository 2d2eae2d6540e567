import type { FileId, RealmId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** A file whose uploader was forgotten for good. */
export interface ForgottenFile {
  readonly realmId: RealmId;
  readonly id: FileId;
}

/**
 * Files that are still there although the words of who uploaded them were erased, in order, at most so many.
 *
 * @param after the last one that was looked at; null begins with the first
 */
export async function readForgotten(pool: Pool, after: ForgottenFile | null, limit: number): Promise<ForgottenFile[]> {
  const { rows } = await pool.query<ForgottenFile>({
    name: 'files-forgotten',
    text: `SELECT f.realm_id AS "realmId", f.file_id AS id FROM view.files AS f
      JOIN events AS e ON e.realm_id = f.realm_id AND e.position = f.file_id AND e.sealed IS NULL
      WHERE f.name IS NULL AND f.deleted IS NULL AND (f.realm_id, f.file_id) > ($1::int4, $2::int8)
      ORDER BY f.realm_id, f.file_id LIMIT $3`,
    values: [after?.realmId ?? 0, after?.id ?? 0, limit],
  });
  return rows;
}
