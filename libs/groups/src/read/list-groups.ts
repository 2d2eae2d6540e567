import { Kernel } from '@annals/kernel';
import type { Actor, Instant, UserId } from '@annals/kernel/domain';
import { namedInSettings } from '@annals/kernel/domain';
import { departedAmong } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { readDirectMembers } from './direct-members';
import type { GroupRow } from './group-row';
import { readGroups } from './group-row';
import type { HistoryReader } from './spans';

/** A group with what it is shown by. */
export interface ListedGroup {
  readonly group: GroupRow;
  /** Direct ones: active, ascending. */
  readonly members: readonly UserId[];
  /** Deactivated people whom settings name. */
  readonly departed: ReadonlySet<UserId>;
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

  execute({ by: { realmId }, includeDeactivated }: ListGroups): Promise<ListedGroup[]> {
    const { database, clock } = this.kernel;
    return database.snapshot((client) => listGroups({ client, realmId }, clock.now(), includeDeactivated));
  }
}

/** @param reader a snapshot, so that groups and users agree */
export async function listGroups(
  reader: HistoryReader,
  at: Instant,
  includeDeactivated: boolean,
): Promise<ListedGroup[]> {
  const all = await readGroups(reader.client, reader.realmId);
  const groups = all.filter((group) => includeDeactivated || !group.isDeactivated);
  const members = await readDirectMembers(reader, at);
  const departed = await departedAmong(reader.client, reader.realmId, namedInSettings(groups));
  return groups.map((group) => ({ group, members: members.get(group.groupId) ?? [], departed }));
}
