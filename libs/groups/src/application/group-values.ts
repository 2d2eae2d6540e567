import type { Work } from '@annals/kernel';
import type { GroupSetting } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { groupAggregate } from '../domain/group';
import { reject } from '../domain/rejections';

/** Asks whether the groups and people that a group setting names are there (contract/permissions.md section 3). */
@Injectable()
export class GroupValues {
  constructor(private readonly users: UserFacts) {}

  /** @throws Rejected BAD_REQUEST for an unknown or deactivated group or account; `work` rests on the groups */
  async ensureKnown(work: Work, value: GroupSetting): Promise<void> {
    const named = typeof value === 'number' ? { directMembers: [], directSubgroups: [value] } : value;
    for (const id of named.directSubgroups) {
      const group = await work.read(groupAggregate, id);
      if (!group) throw reject.noSuchGroup();
      if (group.isDeactivated) throw reject.groupDeactivated();
    }
    const people = await this.users.accounts(work.realmId, named.directMembers);
    const unknown = named.directMembers.find((userId) => !people.get(userId)?.isActive);
    if (unknown !== undefined) throw reject.noSuchMember({ userId: unknown });
  }
}
