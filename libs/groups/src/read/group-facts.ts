import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { GroupId, RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { GroupRow } from './group-row';
import { readGroups } from './group-row';

export type Groups = ReadonlyMap<GroupId, GroupRow>;

const ALL = 'groups';

/** Groups, cached in the process; exact for whoever has passed the fence. */
@Injectable()
export class GroupFacts {
  private readonly groups: FactCache<Groups>;

  constructor(kernel: Kernel) {
    this.groups = kernel.facts<Groups>({
      max: 10_000,
      touched: ({ type }) => (type.startsWith('groups.') ? [ALL] : []),
      load: async (realmId) => {
        const rows = await readGroups(kernel.database.pool, realmId);
        return new Map([[ALL, new Map(rows.map((row) => [row.groupId, row]))]]);
      },
    });
  }

  /** All groups of the organization by id, deactivated ones included. */
  async of(realmId: RealmId): Promise<Groups> {
    return (await this.groups.get(realmId, ALL)) ?? new Map();
  }
}
