import type { FactCache } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { GroupId, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { GraphEvent, GroupEvent } from '../domain/events';
import { Nesting } from '../domain/nesting';
import type { GroupRow } from './group-row';
import { readGroups } from './group-row';

export type Groups = ReadonlyMap<GroupId, GroupRow>;

interface Known {
  readonly groups: Groups;
  readonly nesting: Nesting;
}

const ALL = 'groups';
const NOWHERE: readonly GroupId[] = [];

/** Groups and their direct members, cached in the process. Exact after the fence. */
@Injectable()
export class GroupFacts {
  private readonly known: FactCache<Known>;
  private readonly direct: FactCache<readonly GroupId[]>;

  constructor(private readonly kernel: Kernel) {
    this.known = kernel.facts<Known>({
      touched: (event) => (isAboutGroups(event) && !isAboutMembersOnly(event) ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await this.readAll(realmId)]]),
    });
    this.direct = kernel.facts<readonly GroupId[]>({
      touched: (event) => (isAboutGroups(event) ? membersIn(event) : []),
      load: (realmId, keys) => this.readDirect(realmId, keys),
    });
  }

  /** All groups of the organization by id, also deactivated ones. */
  async of(realmId: RealmId): Promise<Groups> {
    return (await this.all(realmId)).groups;
  }

  /** Which groups contain which. */
  async nesting(realmId: RealmId): Promise<Nesting> {
    return (await this.all(realmId)).nesting;
  }

  /** The groups, created by users, that a user is directly in. */
  async directlyWith(realmId: RealmId, user: UserId): Promise<readonly GroupId[]> {
    return (await this.direct.get(realmId, user)) ?? NOWHERE;
  }

  private async all(realmId: RealmId): Promise<Known> {
    const known = await this.known.get(realmId, ALL);
    if (!known) throw new Error(`the groups of realm ${realmId} were not read`);
    return known;
  }

  private async readAll(realmId: RealmId): Promise<Known> {
    const rows = await readGroups(this.kernel.database.pool, realmId);
    return { groups: new Map(rows.map((row) => [row.groupId, row])), nesting: nestingOf(rows) };
  }

  private async readDirect(realmId: RealmId, users: readonly string[]): Promise<Map<string, readonly GroupId[]>> {
    const { rows } = await this.kernel.database.pool.query<{ user_id: UserId; groups: GroupId[] }>({
      name: 'groups-directly-with',
      text: `SELECT user_id, array_agg(group_id ORDER BY group_id) AS groups FROM view.group_members
        WHERE realm_id = $1 AND user_id = ANY($2::int4[]) AND to_position IS NULL GROUP BY user_id`,
      values: [realmId, users],
    });
    return new Map(rows.map(({ user_id, groups }) => [String(user_id), groups]));
  }
}

/** Which of these groups contain which. */
export const nestingOf = (groups: readonly GroupRow[]): Nesting =>
  new Nesting(groups.flatMap(({ groupId, directSubgroups }) => directSubgroups.map((id) => [groupId, id] as const)));

const isAboutGroups = (event: Recorded): event is Recorded<GroupEvent | GraphEvent> => event.type.startsWith('groups.');

const isAboutMembersOnly = ({ type }: Recorded<GroupEvent | GraphEvent>): boolean =>
  type === 'groups.MembersAdded' || type === 'groups.MembersRemoved';

/** The users whose direct groups an event changed. */
function membersIn(event: Recorded<GroupEvent | GraphEvent>): readonly UserId[] {
  switch (event.type) {
    case 'groups.GroupCreated':
      return event.data.memberIds;
    case 'groups.MembersAdded':
    case 'groups.MembersRemoved':
      return event.data.userIds;
    default:
      return [];
  }
}
