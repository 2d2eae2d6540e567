import type { FileId, Instant, RealmId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** An uploaded image, for the HTML of texts that show it. */
export interface FileImage {
  readonly fileId: FileId;
  /** Of the original, part of its URL. */
  readonly key: string;
  readonly state: 'awaited' | 'ready' | 'refused';
  /** Null while they are not known. */
  readonly contentType: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly isAnimated: boolean;
  /** Part of the key of its thumbnails, and their names. Null without them. */
  readonly made: string | null;
  readonly formats: readonly string[] | null;
  readonly isDeleted: boolean;
}

/** An image that has to get thumbnails. */
export interface AwaitedImage {
  readonly realmId: RealmId;
  readonly fileId: FileId;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

const AWAITED = `i.realm_id AS "realmId", i.file_id AS "fileId", i.key, i.size`;

/** The images among some files. */
export async function readFileImages(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly FileId[],
): Promise<Map<FileId, FileImage>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<FileImage>({
    name: 'files-images',
    text: `SELECT i.file_id AS "fileId", i.key, i.state, i.content_type AS "contentType", i.width, i.height,
        i.is_animated AS "isAnimated", i.made, i.formats, i.is_deleted AS "isDeleted"
      FROM view.file_images AS i WHERE i.realm_id = $1 AND i.file_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.fileId, row]));
}

/** @returns undefined for an image that awaits no thumbnails any more */
export async function readAwaitedImage(
  pool: Pool,
  realmId: RealmId,
  fileId: FileId,
): Promise<AwaitedImage | undefined> {
  const { rows } = await pool.query<AwaitedImage>({
    name: 'files-awaited-image',
    text: `SELECT ${AWAITED} FROM view.file_images AS i
      WHERE i.realm_id = $1 AND i.file_id = $2 AND i.state = 'awaited'`,
    values: [realmId, fileId],
  });
  return rows[0];
}

/**
 * A page of images that await thumbnails and were uploaded before a time, in the order of realm and id.
 *
 * @param after the last image of the page before; null for the first page
 */
export async function readAwaitedImages(
  pool: Pool,
  before: Instant,
  after: AwaitedImage | null,
  limit: number,
): Promise<AwaitedImage[]> {
  const { rows } = await pool.query<AwaitedImage>({
    name: 'files-awaited-images',
    text: `SELECT ${AWAITED} FROM view.file_images AS i
      WHERE i.state = 'awaited' AND i.uploaded_at < $1 AND (i.realm_id, i.file_id) > ($2::int4, $3::int8)
      ORDER BY i.realm_id, i.file_id LIMIT $4`,
    values: [before, after?.realmId ?? 0, after?.fileId ?? 0, limit],
  });
  return rows;
}

/** When the image that has waited longest was uploaded; null if none waits. */
export async function oldestAwaited(pool: Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Instant | null }>({
    name: 'files-oldest-awaited',
    text: `SELECT min(i.uploaded_at) AS at FROM view.file_images AS i WHERE i.state = 'awaited'`,
  });
  return rows[0]?.at ?? null;
}
