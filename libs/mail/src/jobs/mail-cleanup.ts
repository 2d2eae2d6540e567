import type { Kernel } from '@annals/kernel';
import { RealmUpkeep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import type { FileTransport } from '../application/transport/file-transport';
import { deleteOldMailTasks } from './mail-tasks';

const RETENTION_MS = 30 * DAY_MS;
const WARNING = 'old mails could not be forgotten; trying again in an hour';

/** Deletes, every hour, mails that are older than a month, and those in the folder of organizations that were deleted. */
export class MailCleanup extends RealmUpkeep {
  constructor(
    private readonly kernel: Kernel,
    private readonly transport: Partial<Pick<FileTransport, 'deleteOld'>>,
  ) {
    super(HOUR_MS, kernel, WARNING, (realmId) => deleteOldMailTasks(kernel.database.pool, realmId, this.before));
  }

  override async sweep(): Promise<void> {
    await super.sweep();
    const { pool } = this.kernel.database;
    const { rows } = await pool.query<{ id: RealmId }>('SELECT realm_id AS id FROM deleted_realms');
    await this.transport.deleteOld?.(this.before, new Set(rows.map(({ id }) => id)));
  }

  private get before(): Instant {
    return (this.kernel.clock.now() - RETENTION_MS) as Instant;
  }
}
