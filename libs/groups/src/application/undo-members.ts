import type { Undoer, Undone, Work } from '@annals/kernel';
import { Kernel, laterEvents, undoChanges, undoConflicts } from '@annals/kernel';
import type { GroupId, Recorded, UserId } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { MembersAdded, MembersRemoved, SubgroupsAdded, SubgroupsRemoved } from '../domain/events';
import { graphAggregate } from '../domain/graph';
import { groupAggregate } from '../domain/group';
import type { MembershipEvent } from '../domain/membership-undo';
import { remainingMembers } from '../domain/membership-undo';
import type { MembersChange } from './change-members';
import { GroupMembers } from './change-members';

const NO_CHANGE: MembersChange = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] };
const USERS: readonly string[] = [MembersAdded.type, MembersRemoved.type];
const GROUPS: readonly string[] = [SubgroupsAdded.type, SubgroupsRemoved.type];

/** Undoes additions to a group and removals from it, of users and of groups (contract/audit.md section 11). */
@Injectable()
export class UndoMembers implements Undoer {
  readonly types = [...USERS, ...GROUPS];

  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly members: GroupMembers,
  ) {}

  undo(work: Work, event: Recorded): Promise<Undone> {
    return USERS.includes(event.type)
      ? this.undoUsers(work, event as Recorded<MembersAdded | MembersRemoved>)
      : this.undoGroups(work, event as Recorded<SubgroupsAdded | SubgroupsRemoved>);
  }

  private async undoUsers(work: Work, event: Recorded<MembersAdded | MembersRemoved>): Promise<Undone> {
    const { groupId, userIds } = event.data;
    const wasAdded = event.type === MembersAdded.type;
    const opposite = (users: readonly UserId[]) => ({ ...NO_CHANGE, [wasAdded ? 'remove' : 'add']: users });
    // It reads the group before the later events, so that the append depends on them being all.
    await this.ensureAllowed(work, groupId, opposite(userIds));
    const later = await laterEvents(this.kernel.events, event, USERS);
    const { unchanged, changed } = remainingMembers(userIds, later as Recorded<MembershipEvent>[]);
    const accounts = await this.users.accounts(work.realmId, unchanged);
    const [active, deactivated] = divided(unchanged, (id) => accounts.get(id)?.isActive === true);
    if (active.length > 0) await this.members.change(work, groupId, opposite(active));
    return undone('user', groupId, wasAdded, { active, changed, deactivated });
  }

  private async undoGroups(work: Work, event: Recorded<SubgroupsAdded | SubgroupsRemoved>): Promise<Undone> {
    const { groupId, subgroupIds } = event.data;
    const wasAdded = event.type === SubgroupsAdded.type;
    const opposite = (groups: readonly GroupId[]) => ({
      ...NO_CHANGE,
      [wasAdded ? 'removeSubgroups' : 'addSubgroups']: groups,
    });
    await this.ensureAllowed(work, groupId, opposite(subgroupIds));
    await work.read(graphAggregate, 'group-graph');
    const later = (await laterEvents(this.kernel.events, event, GROUPS)) as Recorded<SubgroupsAdded>[];
    const { unchanged, changed } = remainingMembers(
      subgroupIds,
      later.filter(({ data }) => data.groupId === groupId),
    );
    const groups = await work.readAll(groupAggregate, unchanged);
    const [active, deactivated] = divided(unchanged, (_, n) => groups[n]?.isDeactivated === false);
    if (active.length > 0) await this.members.change(work, groupId, opposite(active));
    return undone('group', groupId, wasAdded, { active, changed, deactivated });
  }

  /** The whole act is asked for, whatever is left of it: a refusal does not tell what others did since. */
  private async ensureAllowed(work: Work, groupId: GroupId, opposite: MembersChange): Promise<void> {
    await this.members.changeable(work, groupId, opposite);
  }
}

const divided = <Id>(ids: readonly Id[], holds: (id: Id, n: number) => boolean): readonly [Id[], Id[]] => [
  ids.filter((id, n) => holds(id, n)),
  ids.filter((id, n) => !holds(id, n)),
];

function undone(
  kind: 'user' | 'group',
  groupId: GroupId,
  wasAdded: boolean,
  { active, ...conflicts }: { active: readonly number[]; changed: readonly number[]; deactivated: readonly number[] },
): Undone {
  const group = `group:${groupId}`;
  const change = { property: 'member_of', before: wasAdded ? group : null, after: wasAdded ? null : group };
  return { changes: undoChanges(kind, active, change), conflicts: undoConflicts(kind, conflicts) };
}
