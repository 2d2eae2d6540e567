import { Kernel } from '@annals/kernel';
import type { GroupId, RealmId } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { directSystemGroups, isFullMember, narrowestSystemGroup } from '../domain/system-groups';
import { GroupFacts } from './group-facts';

const NO_GROUPS: ReadonlySet<GroupId> = new Set();

/** The present groups of active accounts. All of it is cached, and exact after the fence. */
@Injectable()
export class GroupsOfAccounts {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly groups: GroupFacts,
  ) {}

  /** All of them, also through subgroups. None for the server's own accounts. */
  async all(realmId: RealmId, user: UserRow): Promise<ReadonlySet<GroupId>> {
    if (user.isSystemBot) return NO_GROUPS;
    const { systemGroups, isFull } = await this.standing(realmId, user);
    const byRole = systemGroups[narrowestSystemGroup(user.role, isFull)];
    const direct = await this.groups.directlyWith(realmId, user.userId);
    const nesting = await this.groups.nesting(realmId);
    return nesting.reachedFrom(direct.length === 0 ? [byRole] : [byRole, ...direct]);
  }

  /** Their direct groups. None for the server's own accounts. */
  async direct(realmId: RealmId, user: UserRow): Promise<readonly GroupId[]> {
    if (user.isSystemBot) return [];
    const made = await this.groups.directlyWith(realmId, user.userId);
    const { systemGroups, isFull } = await this.standing(realmId, user);
    return [...directSystemGroups(user.role, isFull).map((name) => systemGroups[name]), ...made];
  }

  private async standing(realmId: RealmId, user: UserRow) {
    const { systemGroups, settings } = await this.realms.of(realmId);
    return { systemGroups, isFull: isFullMember(user, settings.waiting_period_threshold, this.kernel.clock.now()) };
  }
}
