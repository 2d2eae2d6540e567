import type { Kernel } from '@annals/kernel';
import { RealmUpkeep } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import type { MailFolder } from '../application/transport/mail-folder';
import { deleteOldMailTasks } from './mail-tasks';

const RETENTION_MS = 30 * DAY_MS;
const WARNING = 'old mails could not be forgotten; trying again in an hour';

/**
 * Deletes, every hour, mails that are older than a month. In the folder also those of deleted organizations: the worker that
 * deleted an organization may have had another folder.
 */
export class MailCleanup extends RealmUpkeep {
  constructor(
    private readonly kernel: Kernel,
    private readonly folder: MailFolder,
  ) {
    super(HOUR_MS, kernel, WARNING, (realmId) => deleteOldMailTasks(kernel.database.pool, realmId, this.before));
  }

  override async sweep(): Promise<void> {
    await super.sweep();
    const { pool } = this.kernel.database;
    const { rows } = await pool.query<{ id: RealmId }>('SELECT realm_id AS id FROM deleted_realms');
    await this.folder.deleteOld(this.before, new Set(rows.map(({ id }) => id)));
  }

  private get before(): Instant {
    return (this.kernel.clock.now() - RETENTION_MS) as Instant;
  }
}
