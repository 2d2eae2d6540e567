import type { By, UnitOfWork, Work } from '@annals/kernel';
import type { FileId } from '@annals/kernel/domain';
import type { FileDeleted } from '../domain/events';
import type { StoredFile } from '../domain/file';
import { fileAggregate } from '../domain/file';
import type { ThumbnailStore } from './thumbnail-store';
import type { UploadStore } from './upload-store';

/** The bytes of files and of their thumbnails. */
export interface FileBytes {
  readonly bytes: UploadStore;
  readonly thumbnails: ThumbnailStore;
}

/**
 * Deletes a file in the log, and then its bytes and thumbnails.
 *
 * @param decide gets null for an unknown or deleted file
 * @throws Rejected as `decide` does
 */
export async function endFile(
  { work: unit, bytes, thumbnails }: { readonly work: Pick<UnitOfWork, 'run'> } & FileBytes,
  by: By,
  id: FileId,
  decide: (file: StoredFile | null, work: Work) => FileDeleted[],
): Promise<void> {
  const { realmId } = by;
  const file = await unit.run(by, async (work) => {
    const found = await work.read(fileAggregate, id);
    await work.decide(fileAggregate, id, (state) => decide(state, work));
    if (found) {
      await bytes.unsettle(realmId, found.key);
      await thumbnails.each(found, (key) => thumbnails.unsettle(realmId, key));
    }
    return found;
  });
  if (!file) return;
  // The file is deleted. If this fails, the sweep deletes the bytes.
  await bytes.discard(realmId, file.key).catch(() => undefined);
  await thumbnails.each(file, (key) => thumbnails.discard(realmId, key)).catch(() => undefined);
}
