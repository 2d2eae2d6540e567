import type { FileId, RealmId } from '@annals/kernel/domain';
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
