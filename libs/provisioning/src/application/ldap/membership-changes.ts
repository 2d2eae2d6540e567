import { DirectoryGroups } from '@annals/groups';
import { Kernel } from '@annals/kernel';
import type { GroupId, UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { DirectoryChange, DirectoryProblem } from '../../domain/ldap/directory-change';
import type { SyncRun } from './account-changes';

interface Membership {
  readonly add: readonly UserId[];
  readonly remove: readonly UserId[];
}

/** Adds people to user groups and removes them: one append for each group, however many people. */
@Injectable()
export class MembershipChanges {
  constructor(
    private readonly kernel: Kernel,
    private readonly groups: DirectoryGroups,
  ) {}

  /**
   * @param groups the groups by their names in the changes
   * @returns the groups that could not be changed
   */
  async apply(
    changes: readonly DirectoryChange[],
    groups: ReadonlyMap<string, GroupId>,
    { by, isDryRun }: SyncRun,
  ): Promise<DirectoryProblem[]> {
    const problems: DirectoryProblem[] = [];
    for (const [name, groupId] of groups) {
      const membership = membershipIn(name, changes);
      if (membership.add.length + membership.remove.length === 0) continue;
      try {
        await this.kernel.work.run(by, (work) => this.groups.changeMembers(work, groupId, membership), { isDryRun });
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
        problems.push({ about: name, reason: error.message });
      }
    }
    return problems;
  }
}

const membershipIn = (name: string, changes: readonly DirectoryChange[]): Membership => ({
  add: changes.filter(({ joins }) => joins.includes(name)).map(({ userId }) => userId),
  remove: changes.filter(({ leaves }) => leaves.includes(name)).map(({ userId }) => userId),
});
