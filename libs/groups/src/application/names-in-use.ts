import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import { groupNameFree } from './guards';

/** Facts about the names of all groups. */
@Injectable()
export class NamesInUse {
  constructor(private readonly kernel: Kernel) {}

  /** Whether a group has exactly this name. The append claims the name, and is refused if another one was faster. */
  async isTaken(work: Work, name: string): Promise<boolean> {
    work.guard(groupNameFree, name);
    work.changesGuard(groupNameFree, name);
    const { rowCount } = await this.kernel.database.pool.query({
      name: 'groups-by-name',
      text: 'SELECT FROM view.user_groups WHERE realm_id = $1 AND name = $2 LIMIT 1',
      values: [work.realmId, name],
    });
    return rowCount !== 0;
  }
}
