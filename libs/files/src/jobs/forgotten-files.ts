import type { Kernel } from '@annals/kernel';
import { Repeated, systemActor } from '@annals/kernel';
import type { KeptUploads } from '../application/kept-uploads';
import { fileAggregate, letGo } from '../domain/file';
import type { FileUses } from '../read/file-uses';
import { NOW } from '../read/file-uses';
import type { ForgottenFile } from '../read/forgotten-files';
import { readForgotten } from '../read/forgotten-files';

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
    private readonly bytes: KeptUploads,
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

  /** Files of those whose words are erased by now. */
  async sweep(): Promise<void> {
    const { pool } = this.kernel.database;
    let last: ForgottenFile | null = null;
    for (;;) {
      const page: ForgottenFile[] = await readForgotten(pool, last, PAGE);
      for (const file of page) if (!(await this.isNamed(file))) await this.letGo(file);
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  private async isNamed({ realmId, id }: ForgottenFile): Promise<boolean> {
    const [messages] = await this.uses.messagesNaming(this.kernel.database.pool, realmId, [
      { fileId: id, position: NOW },
    ]);
    return (messages ?? []).length > 0;
  }

  private async letGo({ realmId, id }: ForgottenFile): Promise<void> {
    const key = await this.kernel.work.run(systemActor(realmId), async (work) => {
      const file = await work.read(fileAggregate, id);
      await work.decide(fileAggregate, id, letGo);
      if (file) await this.bytes.unsettle(realmId, file.key);
      return file?.key;
    });
    // The file is gone; where this fails, the sweep of bytes makes up for it.
    if (key !== undefined) await this.bytes.discard(realmId, key).catch(() => undefined);
  }
}
