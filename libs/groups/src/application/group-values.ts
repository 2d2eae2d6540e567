import type { Work } from '@annals/kernel';
import type { GroupSetting } from '@annals/kernel/domain';
import type { UserRow } from '@annals/users';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { groupAggregate } from '../domain/group';
import { reject } from '../domain/rejections';

/** Asks whether the groups and people that a group setting names are there (contract/permissions.md section 3). */
@Injectable()
export class GroupValues {
  constructor(private readonly users: UserFacts) {}

  /** @throws Rejected BAD_REQUEST for an unknown or deactivated group or account, or the server's own; `work` rests on the groups */
  async ensureKnown(work: Work, value: GroupSetting): Promise<void> {
    const named = typeof value === 'number' ? { directMembers: [], directSubgroups: [value] } : value;
    for (const id of named.directSubgroups) {
      const group = await work.read(groupAggregate, id);
      if (!group) throw reject.noSuchGroup();
      if (group.isDeactivated) throw reject.groupDeactivated();
    }
    const people = await this.users.accounts(work.realmId, named.directMembers);
    // The server's own bot belongs to no organization, so nobody can give it anything.
    const belongs = (user: UserRow | undefined) => user?.isActive === true && !user.isSystemBot;
    const unknown = named.directMembers.find((userId) => !belongs(people.get(userId)));
    if (unknown !== undefined) throw reject.noSuchMember({ userId: unknown });
  }
}
