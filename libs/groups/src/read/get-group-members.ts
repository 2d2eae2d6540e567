import { Kernel, Past } from '@annals/kernel';
import type { Actor, GroupId, UserId } from '@annals/kernel/domain';
import { ascending, isGuest } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { reject } from '../domain/rejections';
import { readMembersOfAny } from './direct-members';
import { GroupFacts, nestingOf } from './group-facts';
import { readGroups } from './group-row';
import { GroupsOfAccounts } from './groups-of-accounts';

/** Present members and subgroups of a group; refused for deactivated groups (contract/groups.md section 2). */
@Injectable()
export class GroupContents {
  constructor(
    private readonly kernel: Kernel,
    private readonly groups: GroupFacts,
    private readonly standing: GroupsOfAccounts,
    private readonly users: UserFacts,
  ) {}

  /** @throws Rejected BAD_REQUEST for an unknown or deactivated group */
  async members({ realmId }: Actor, group: GroupId, directOnly: boolean): Promise<UserId[]> {
    const known = await this.visible(realmId, group);
    const groups = directOnly ? [known] : [...(await this.groups.nesting(realmId)).below(known)];
    return readMembersOfAny({ client: this.kernel.database.pool, realmId }, groups, this.kernel.clock.now());
  }

  /** @throws Rejected BAD_REQUEST for an unknown or deactivated group, and for a user who is not active */
  async isMember({ realmId }: Actor, group: GroupId, userId: UserId, directOnly: boolean): Promise<boolean> {
    const id = await this.visible(realmId, group);
    const user = await this.users.account(realmId, userId);
    if (!user?.isActive) throw reject.noSuchMember({ userId });
    if (directOnly) return (await this.standing.direct(realmId, user)).includes(id);
    return (await this.standing.all(realmId, user)).has(id);
  }

  /** @throws Rejected BAD_REQUEST for an unknown or deactivated group */
  async subgroups({ realmId }: Actor, group: GroupId, directOnly: boolean): Promise<GroupId[]> {
    const id = await this.visible(realmId, group);
    const nesting = await this.groups.nesting(realmId);
    if (directOnly) return ascending(new Set(nesting.directlyBelow(id)));
    return ascending(new Set([...nesting.below(id)].filter((other) => other !== id)));
  }

  private async visible(realmId: Actor['realmId'], id: GroupId): Promise<GroupId> {
    const group = (await this.groups.of(realmId)).get(id);
    if (!group) throw reject.noSuchGroup();
    if (group.isDeactivated) throw reject.groupDeactivated();
    return id;
  }
}

/** Active members, ascending, through subgroups unless only direct ones are wanted. */
export class ListMembers extends Query<UserId[]> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
    readonly directOnly: boolean,
    /** Null for the present. */
    readonly asOf: AsOf | null = null,
  ) {
    super();
  }
}

@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(
    private readonly contents: GroupContents,
    private readonly past: Past,
  ) {}

  execute({ by, groupId, directOnly, asOf }: ListMembers): Promise<UserId[]> {
    if (!asOf) return this.contents.members(by, groupId, directOnly);
    return this.past.read(asOf, ({ then }) => membersThen(then, asOf, groupId, directOnly));
  }
}

/** @throws Rejected BAD_REQUEST like `GroupContents`, and for a viewer who could not see groups then */
async function membersThen(client: ClientBase, asOf: AsOf, id: GroupId, directOnly: boolean): Promise<UserId[]> {
  const { realmId, viewer, at } = asOf;
  const all = viewer && !isGuest(viewer) ? await readGroups(client, realmId) : [];
  const group = all.find(({ groupId }) => groupId === id);
  if (!group) throw reject.noSuchGroup();
  if (group.isDeactivated) throw reject.groupDeactivated();
  return readMembersOfAny({ client, realmId }, directOnly ? [id] : [...nestingOf(all).below(id)], at);
}

/** Whether a user is a member. */
export class IsMember extends Query<boolean> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
    readonly userId: UserId,
    readonly directOnly: boolean,
  ) {
    super();
  }
}

@QueryHandler(IsMember)
export class IsMemberHandler implements IQueryHandler<IsMember> {
  constructor(private readonly contents: GroupContents) {}

  execute({ by, groupId, userId, directOnly }: IsMember): Promise<boolean> {
    return this.contents.isMember(by, groupId, userId, directOnly);
  }
}

/** Groups in a group, ascending, through others unless only direct ones are wanted. */
export class ListSubgroups extends Query<GroupId[]> {
  constructor(
    readonly by: Actor,
    readonly groupId: GroupId,
    readonly directOnly: boolean,
  ) {
    super();
  }
}

@QueryHandler(ListSubgroups)
export class ListSubgroupsHandler implements IQueryHandler<ListSubgroups> {
  constructor(private readonly contents: GroupContents) {}

  execute({ by, groupId, directOnly }: ListSubgroups): Promise<GroupId[]> {
    return this.contents.subgroups(by, groupId, directOnly);
  }
}
