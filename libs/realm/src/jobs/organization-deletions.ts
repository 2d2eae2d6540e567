import { FileStore, Kernel, OtherFiles, PeriodicSweep, RealmDeletions } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';

/** A grace period has days, so a minute more does not matter. */
const SWEEP_MS = 60_000;
const WARNING = 'an organization could not be deleted; trying again in a minute';

/** Deletes, every minute, the organizations whose grace period is over. Several workers may do so at once. */
@Injectable()
export class OrganizationDeletions extends PeriodicSweep {
  private readonly deletions: RealmDeletions;

  constructor(
    private readonly kernel: Kernel,
    store: FileStore,
    mails: OtherFiles,
  ) {
    super(SWEEP_MS, kernel, WARNING);
    this.deletions = new RealmDeletions(kernel, store, mails);
  }

  override async sweep(): Promise<void> {
    const { rows } = await this.kernel.database.pool.query<{ id: RealmId }>(
      'SELECT c.realm_id AS id FROM view.closed_organizations AS c WHERE c.delete_at <= $1 ORDER BY c.realm_id',
      [this.kernel.clock.now()],
    );
    for (const { id } of rows) await this.isolated({ realm: id }, () => this.end(id));
    await this.deletions.empty();
  }

  /** Unless it was reactivated meanwhile. */
  private async end(realmId: RealmId): Promise<void> {
    const { clock, options } = this.kernel;
    const hasBegun = await this.deletions.begin(realmId, async (client) => {
      const { rowCount } = await client.query(
        'SELECT FROM view.closed_organizations AS c WHERE c.realm_id = $1 AND c.delete_at <= $2',
        [realmId, clock.now()],
      );
      return rowCount === 1;
    });
    if (hasBegun) options.log.info({ realm: realmId }, 'an organization is being deleted');
  }
}
