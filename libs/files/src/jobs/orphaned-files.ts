import type { Kernel } from '@annals/kernel';
import { Repeated, pages, systemActor } from '@annals/kernel';
import type { FileId, RealmId } from '@annals/kernel/domain';
import { grouped } from '@annals/kernel/domain';
import { endFile } from '../application/end-file';
import type { UploadStore } from '../application/upload-store';
import { letGo } from '../domain/file';
import type { FileUses } from '../read/file-uses';
import { NOW } from '../read/file-uses';
import type { ForgottenFile } from '../read/orphaned-files';
import { readForgotten } from '../read/orphaned-files';

const SWEEP_MS = 3_600_000;
/** Files looked at at once. */
const PAGE = 200;

/**
 * Lets go, every hour, of files of people who were erased: what no message names, nobody but them could have had, and so
 * nobody can begin to name it either. Several workers may do so at once.
 */
export class ForgottenFiles {
  private readonly sweeps = new Repeated(SWEEP_MS, () => this.sweepOrWarn());

  constructor(
    private readonly kernel: Pick<Kernel, 'database' | 'options' | 'work'>,
    private readonly bytes: UploadStore,
    private readonly uses: Pick<FileUses, 'messagesNaming'>,
  ) {}

  /** Sweeps now, and every hour from now on. */
  start(): void {
    this.sweeps.start();
  }

  stop(): Promise<void> {
    return this.sweeps.stop();
  }

  private sweepOrWarn(): Promise<void> {
    return this.sweep().catch((err: unknown) =>
      this.kernel.options.log.warn({ err }, 'files of forgotten people could not be let go; trying again in an hour'),
    );
  }

  /** Files of those whose words are erased by now; what cannot go now is tried again with the next sweep. */
  async sweep(): Promise<void> {
    const { pool } = this.kernel.database;
    for await (const page of pages<ForgottenFile>(PAGE, (after) => readForgotten(pool, after, PAGE))) {
      const byRealm = grouped(
        page,
        ({ realmId }) => realmId,
        ({ id }) => id,
      );
      for (const [realmId, ids] of byRealm)
        for (const id of await this.unnamed(realmId, ids)) await this.end(realmId, id);
    }
  }

  private async unnamed(realmId: RealmId, ids: readonly FileId[]): Promise<FileId[]> {
    const asked = ids.map((fileId) => ({ fileId, position: NOW }));
    const naming = await this.uses.messagesNaming(this.kernel.database.pool, realmId, asked);
    return ids.filter((_, n) => naming[n]?.length === 0);
  }

  private async end(realmId: RealmId, id: FileId): Promise<void> {
    const { kernel, bytes } = this;
    try {
      await endFile({ work: kernel.work, bytes }, systemActor(realmId), id, letGo);
    } catch (err) {
      kernel.options.log.warn({ err, realm: realmId, file: id }, 'a file could not be let go; trying again in an hour');
    }
  }
}
