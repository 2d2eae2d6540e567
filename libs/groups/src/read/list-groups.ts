import { Kernel, Past } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { isGuest, namedInSettings } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { departedAmong } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ReaderAt } from './direct-members';
import { readDirectMembers } from './direct-members';
import type { GroupRow } from './group-row';
import { readGroups } from './group-row';

/** A group with the facts for its presentation. */
export interface ListedGroup {
  readonly group: GroupRow;
  /** Direct ones: active, ascending. */
  readonly members: readonly UserId[];
  /** Deactivated users in its settings. */
  readonly departed: ReadonlySet<UserId>;
}

/** The groups of the organization in the order of their ids (contract/groups.md section 2). */
export class ListGroups extends Query<ListedGroup[]> {
  constructor(
    readonly by: Actor,
    readonly includeDeactivated: boolean,
    /** Null for the present. */
    readonly asOf: AsOf | null = null,
  ) {
    super();
  }
}

@QueryHandler(ListGroups)
export class ListGroupsHandler implements IQueryHandler<ListGroups> {
  constructor(
    private readonly kernel: Kernel,
    private readonly past: Past,
  ) {}

  async execute({ by: { realmId }, includeDeactivated, asOf }: ListGroups): Promise<ListedGroup[]> {
    if (asOf) return this.listThen(asOf, includeDeactivated);
    const { database, clock } = this.kernel;
    const at = clock.now();
    return database.snapshot((client) => listGroups({ client, realmId, at }, includeDeactivated));
  }

  /** Everybody but guests could always see all groups, and can today. */
  private async listThen(asOf: AsOf, includeDeactivated: boolean): Promise<ListedGroup[]> {
    const { realmId, viewer, at } = asOf;
    if (!viewer || isGuest(viewer)) return [];
    return this.past.read(asOf, ({ then }) => listGroups({ client: then, realmId, at }, includeDeactivated));
  }
}

/** @param reader a snapshot, so that groups and users agree */
export async function listGroups(reader: ReaderAt, includeDeactivated: boolean): Promise<ListedGroup[]> {
  const all = await readGroups(reader.client, reader.realmId);
  const groups = all.filter((group) => includeDeactivated || !group.isDeactivated);
  const members = await readDirectMembers(reader);
  const departed = await departedAmong(reader.client, reader.realmId, namedInSettings(groups));
  return groups.map((group) => ({ group, members: members.get(group.groupId) ?? [], departed }));
}
