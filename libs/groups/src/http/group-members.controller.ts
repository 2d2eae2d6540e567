import type { Actor } from '@annals/kernel/domain';
import { groupId, t, userId } from '@annals/kernel/domain';
import { PastRequests } from '@annals/users/http';
import { By, Endpoint, Params, asOfShape, presentAsOf } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ChangeMembers } from '../application/change-members';
import { ChangeSubgroups } from '../application/change-subgroups';
import { IsMember, ListMembers, ListSubgroups } from '../read/get-group-members';
import {
  ChangeMembersParams,
  ChangeSubgroupsParams,
  IsMemberParams,
  ListMembersParams,
  ListSubgroupsParams,
  toMembersChange,
  toSubgroupsChange,
} from './groups.params';

/** What the log says of a read of the members that another account could see. */
const recordedMembers = ({ user_group_id, direct_member_only }: ListMembersParams, results: number) => ({
  endpoint: 'GET /user_groups/{user_group_id}/members',
  parameters: { user_group_id, direct_member_only },
  results,
});

/** Members and subgroups of groups (contract/groups.md section 2). */
@Controller()
export class GroupMembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly past: PastRequests,
  ) {}

  @Endpoint('GET', 'user_groups/:user_group_id/members', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Members of a user group',
    returns: t.Object({ members: t.Array(userId), ...asOfShape }),
  })
  async members(@By() by: Actor, @Params(ListMembersParams) p: ListMembersParams) {
    const asOf = await this.past.of(by, p);
    const query = new ListMembers(by, p.user_group_id, p.direct_member_only, asOf);
    const members = await this.queries.execute(query);
    await this.past.answered(by, asOf, p, recordedMembers(p, members.length));
    return { members, ...presentAsOf(asOf) };
  }

  @Endpoint('GET', 'user_groups/:user_group_id/members/:user_id', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Whether somebody is a member of a user group',
    returns: t.Object({ is_user_group_member: t.Boolean() }),
  })
  async isMember(@By() by: Actor, @Params(IsMemberParams) p: IsMemberParams) {
    const query = new IsMember(by, p.user_group_id, p.user_id, p.direct_member_only);
    return { is_user_group_member: await this.queries.execute(query) };
  }

  @Endpoint('POST', 'user_groups/:user_group_id/members', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Change the members of a user group',
    command: 'ChangeMembers',
    returns: null,
  })
  async changeMembers(@By() by: Actor, @Params(ChangeMembersParams) p: ChangeMembersParams) {
    await this.commands.execute(new ChangeMembers(by, p.user_group_id, toMembersChange(p)));
  }

  @Endpoint('GET', 'user_groups/:user_group_id/subgroups', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Subgroups of a user group',
    returns: t.Object({ subgroups: t.Array(groupId) }),
  })
  async subgroups(@By() by: Actor, @Params(ListSubgroupsParams) p: ListSubgroupsParams) {
    return { subgroups: await this.queries.execute(new ListSubgroups(by, p.user_group_id, p.direct_subgroup_only)) };
  }

  /** INTERFACE.md 4.18 */
  @Endpoint('POST', 'user_groups/:user_group_id/subgroups', {
    audience: 'members',
    section: '4.18',
    summary: 'Update subgroups of a user group',
    command: 'ChangeSubgroups',
    returns: null,
  })
  async changeSubgroups(@By() by: Actor, @Params(ChangeSubgroupsParams) p: ChangeSubgroupsParams) {
    const { add, remove } = toSubgroupsChange(p);
    await this.commands.execute(new ChangeSubgroups(by, p.user_group_id, add, remove));
  }
}
