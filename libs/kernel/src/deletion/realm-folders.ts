import type { FileStore, FolderSize } from '../files/file-store';
import type { FileKind } from '../files/referenced-files';
import type { RealmId } from '../domain/index';

/** A key that has no slash, so that everything before it is the folder. */
const ANY_KEY = 'key';

/**
 * The folders of the file store in which an organization has its bytes, by the keys of each kind. A key of an organization
 * has its number as a segment of its own.
 *
 * @throws Error for a kind whose keys do not
 */
export function realmFolders(kinds: readonly FileKind[], realmId: RealmId): string[] {
  return [...new Set(kinds.map((kind) => folderOf(kind, realmId)))];
}

function folderOf({ name, storeKey }: FileKind, realmId: RealmId): string {
  const segments = storeKey(realmId, ANY_KEY).split('/');
  const at = segments.indexOf(String(realmId));
  if (at < 0) throw new Error(`keys of ${name} do not name their organization`);
  return segments.slice(0, at + 1).join('/');
}

/** The number and the bytes of all files of an organization. */
export async function measureFiles(
  store: FileStore,
  kinds: readonly FileKind[],
  realmId: RealmId,
): Promise<FolderSize> {
  let [files, bytes] = [0, 0];
  for (const folder of realmFolders(kinds, realmId)) {
    const measured = await store.measureFolder(folder);
    files += measured.files;
    bytes += measured.bytes;
  }
  return { files, bytes };
}

/** Deletes all files of an organization. */
export async function deleteFiles(store: FileStore, kinds: readonly FileKind[], realmId: RealmId): Promise<void> {
  for (const folder of realmFolders(kinds, realmId)) await store.deleteFolder(folder);
}
