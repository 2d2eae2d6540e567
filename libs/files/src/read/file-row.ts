import type { FileId, Instant, RealmId, UserId } from '@annals/kernel/domain';
import type { ClientBase, Pool } from 'pg';

/** A file with its facts. */
export interface FileRow {
  readonly id: FileId;
  readonly ownerId: UserId;
  /** The key of its bytes, within the organization. */
  readonly key: string;
  /** The name and the path id. Both are null after the file was deleted or its owner erased. */
  readonly name: string | null;
  readonly addressName: string | null;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly uploadedAt: Instant;
  readonly isDeleted: boolean;
}

const COLUMNS = `f.file_id AS id, f.owner_id AS "ownerId", f.key, f.name, f.address_name AS "addressName",
  f.content_type AS "contentType", f.size, f.uploaded_at AS "uploadedAt",
  f.deleted IS NOT NULL AS "isDeleted"`;
/** Replaces a name that was erased. */
const ERASED = 'erased';
const PATH = /^(\d{1,10})\/([0-9a-f]{2}\/[\w-]{24})\/[^/]+$/;

export const shownName = ({ name }: Pick<FileRow, 'name'>): string => name ?? ERASED;

/** The path id (contract/messages.md section 11): the URL without `/user_uploads/`. */
export const pathOf = (realmId: RealmId, { key, addressName }: Pick<FileRow, 'key' | 'addressName'>): string =>
  `${realmId}/${key}/${addressName ?? ERASED}`;

/** The files of an organization at these path ids. Unknown ones are left out. */
export async function filesAt(client: Pool, realmId: RealmId, paths: readonly string[]): Promise<FileRow[]> {
  const wanted = new Set(paths);
  const keys = [...wanted].flatMap((path) => PATH.exec(path)?.[2] ?? []);
  if (keys.length === 0) return [];
  const { rows } = await client.query<FileRow>({
    name: 'files-by-key',
    text: `SELECT ${COLUMNS} FROM view.files AS f
      WHERE f.realm_id = $1 AND f.key = ANY($2::text[]) AND f.deleted IS NULL ORDER BY f.file_id`,
    values: [realmId, keys],
  });
  // The URL of an erased user's file is known no more, but messages that remain still contain it.
  const beginnings = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))));
  return rows.filter((row) =>
    row.addressName === null ? beginnings.has(`${realmId}/${row.key}`) : wanted.has(pathOf(realmId, row)),
  );
}

/** Files by id, also deleted ones. */
export async function readFiles(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly FileId[],
): Promise<Map<FileId, FileRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<FileRow>({
    name: 'files-by-id',
    text: `SELECT ${COLUMNS} FROM view.files AS f WHERE f.realm_id = $1 AND f.file_id = ANY($2::int8[])`,
    values: [realmId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** A user's files that are not deleted, the oldest first. */
export async function filesOf(client: Pool, realmId: RealmId, ownerId: UserId): Promise<FileRow[]> {
  const { rows } = await client.query<FileRow>({
    name: 'files-of-owner',
    text: `SELECT ${COLUMNS} FROM view.files AS f
      WHERE f.realm_id = $1 AND f.owner_id = $2 AND f.deleted IS NULL ORDER BY f.file_id`,
    values: [realmId, ownerId],
  });
  return rows;
}
