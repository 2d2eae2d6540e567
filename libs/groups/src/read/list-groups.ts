import { Kernel } from '@annals/kernel';
import type { Actor, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ClientBase } from 'pg';
import type { GroupRow } from './group-row';
import { readGroups } from './group-row';
import { readRoleMembers } from './role-members';

/** A group with its direct members: active ones, ascending. */
export interface ListedGroup {
  readonly group: GroupRow;
  readonly members: readonly UserId[];
}

/** The groups of the organization in the order of their ids (contract/groups.md section 2). */
export class ListGroups extends Query<ListedGroup[]> {
  constructor(
    readonly by: Actor,
    readonly includeDeactivated: boolean,
  ) {
    super();
  }
}

@QueryHandler(ListGroups)
export class ListGroupsHandler implements IQueryHandler<ListGroups> {
  constructor(private readonly kernel: Kernel) {}

  execute({ by, includeDeactivated }: ListGroups): Promise<ListedGroup[]> {
    const { database, clock } = this.kernel;
    return database.snapshot((client) => listGroups(client, by.realmId, clock.now(), includeDeactivated));
  }
}

/** @param client should show one moment, so that groups and people agree */
export async function listGroups(
  client: ClientBase,
  realmId: RealmId,
  at: Instant,
  includeDeactivated: boolean,
): Promise<ListedGroup[]> {
  const realm = await readRealm(client, realmId);
  if (!realm) throw new Error(`realm ${realmId} does not exist`);
  const members = await readRoleMembers(client, realmId, realm.settings.waiting_period_threshold, at);
  const groups = await readGroups(client, realmId);
  return groups
    .filter((group) => includeDeactivated || !group.isDeactivated)
    .map((group) => ({ group, members: (group.systemName && members.get(group.systemName)) ?? [] }));
}
