import type { By, UnitOfWork, Work } from '@annals/kernel';
import type { FileId } from '@annals/kernel/domain';
import type { FileDeleted } from '../domain/events';
import type { StoredFile } from '../domain/file';
import { fileAggregate } from '../domain/file';
import type { UploadStore } from './upload-store';

/**
 * Deletes a file in the log, and then its bytes.
 *
 * @param decide gets null for an unknown or deleted file
 * @throws Rejected as `decide` does
 */
export async function endFile(
  { work: unit, bytes }: { readonly work: Pick<UnitOfWork, 'run'>; readonly bytes: UploadStore },
  by: By,
  id: FileId,
  decide: (file: StoredFile | null, work: Work) => FileDeleted[],
): Promise<void> {
  const key = await unit.run(by, async (work) => {
    const file = await work.read(fileAggregate, id);
    await work.decide(fileAggregate, id, (state) => decide(state, work));
    if (file) await bytes.unsettle(work.realmId, file.key);
    return file?.key;
  });
  // The file is deleted. If this fails, the sweep deletes the bytes.
  if (key !== undefined) await bytes.discard(by.realmId, key).catch(() => undefined);
}
