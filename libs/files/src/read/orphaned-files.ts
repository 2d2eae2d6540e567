import type { FileId, RealmId } from '@annals/kernel/domain';
import type { Pool } from 'pg';

/** A file of an erased user. */
export interface OrphanedFile {
  readonly realmId: RealmId;
  readonly id: FileId;
}

/**
 * Files that exist although the texts of their uploader were erased, in the order of realm and id, at most `limit`.
 *
 * @param after the last file of the page before; null for the first page
 */
export async function readOrphanedFiles(
  pool: Pool,
  after: OrphanedFile | null,
  limit: number,
): Promise<OrphanedFile[]> {
  const { rows } = await pool.query<OrphanedFile>({
    name: 'files-orphaned',
    text: `SELECT f.realm_id AS "realmId", f.file_id AS id FROM view.files AS f
      JOIN events AS e ON e.realm_id = f.realm_id AND e.position = f.file_id AND e.sealed IS NULL
      WHERE f.name IS NULL AND f.deleted IS NULL AND (f.realm_id, f.file_id) > ($1::int4, $2::int8)
      ORDER BY f.realm_id, f.file_id LIMIT $3`,
    values: [after?.realmId ?? 0, after?.id ?? 0, limit],
  });
  return rows;
}
