import type { Kernel } from '@annals/kernel';
import { PeriodicSweep, pages, systemActor } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import type { FileBytes } from '../application/end-file';
import { endFile } from '../application/end-file';
import { deleteOrphan } from '../domain/file';
import type { FileUses } from '../read/file-uses';
import { NOW } from '../read/file-uses';
import type { OrphanedFile } from '../read/orphaned-files';
import { readOrphanedFiles } from '../read/orphaned-files';

const SWEEP_MS = 3_600_000;
/** Files in one query. */
const PAGE = 200;

/**
 * Deletes, every hour, files of erased users that no message links to. Only such a user had access to them, so nobody can
 * link to them later. Several workers may do so at once.
 */
export class OrphanedFiles extends PeriodicSweep {
  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'options' | 'work'>,
    private readonly bytes: FileBytes,
    private readonly uses: Pick<FileUses, 'messagesNaming'>,
  ) {
    super(SWEEP_MS, kernel, 'files of erased users could not be deleted; trying again in an hour');
  }

  /** Files of users whose texts are erased by now. A file that cannot be deleted now is tried again with the next sweep. */
  override async sweep(): Promise<void> {
    const { pool } = this.kernel.database;
    for await (const page of pages<OrphanedFile>(PAGE, (after) => readOrphanedFiles(pool, after, PAGE))) {
      const byRealm = grouped(
        page,
        ({ realmId }) => realmId,
        ({ id }) => id,
      );
      for (const [realmId, ids] of byRealm)
        for (const id of await this.unlinked(realmId, ids)) await this.end(realmId, id);
    }
  }

  private async unlinked(realmId: RealmId, ids: readonly FileId[]): Promise<FileId[]> {
    const asked = ids.map((fileId) => ({ fileId, position: NOW }));
    const naming = await this.uses.messagesNaming(this.kernel.database.pool, realmId, asked);
    return ids.filter((_, n) => naming[n]?.length === 0);
  }

  private async end(realmId: RealmId, id: FileId): Promise<void> {
    const acts = { work: this.kernel.work, ...this.bytes };
    const end = () => endFile(acts, systemActor(realmId), id, deleteOrphan);
    await this.isolated({ realm: realmId, file: id }, end, 'a file could not be deleted; trying again in an hour');
  }
}
