import type { Actor } from '@annals/kernel/domain';
import { groupId, t } from '@annals/kernel/domain';
import { PastRequests } from '@annals/users/http';
import { By, Endpoint, Params, asOfShape, presentAsOf } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ChangeGroup } from '../application/change-group';
import { CreateGroup } from '../application/create-group';
import { DeactivateGroup } from '../application/deactivate-group';
import { ListGroups } from '../read/list-groups';
import { presentGroup } from '../read/present-group';
import {
  ChangeGroupParams,
  CreateGroupParams,
  GroupParams,
  ListGroupsParams,
  once,
  toGroupChange,
  toGroupInput,
} from './groups.params';
import { groupShape } from './shapes';

/** Groups themselves (contract/groups.md section 2). */
@Controller()
export class GroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly past: PastRequests,
  ) {}

  @Endpoint('GET', 'user_groups', {
    audience: 'members',
    section: 'groups 2',
    summary: 'All user groups',
    returns: t.Object({ user_groups: t.Array(groupShape), ...asOfShape }),
  })
  async list(@By() by: Actor, @Params(ListGroupsParams) p: ListGroupsParams) {
    const asOf = await this.past.of(by, p);
    const groups = await this.queries.execute(new ListGroups(by, p.include_deactivated_groups, asOf));
    const parameters = { include_deactivated_groups: p.include_deactivated_groups };
    await this.past.answered(by, asOf, p, { endpoint: 'GET /user_groups', parameters, results: groups.length });
    return { user_groups: groups.map(presentGroup), ...presentAsOf(asOf) };
  }

  @Endpoint('POST', 'user_groups/create', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Create a user group',
    command: 'CreateGroup',
    returns: t.Object({ group_id: groupId }),
  })
  async create(@By() by: Actor, @Params(CreateGroupParams) p: CreateGroupParams) {
    return { group_id: await this.commands.execute(new CreateGroup(by, toGroupInput(p), once(p.subgroups))) };
  }

  @Endpoint('PATCH', 'user_groups/:user_group_id', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Change a user group',
    command: 'ChangeGroup',
    returns: null,
  })
  async change(@By() by: Actor, @Params(ChangeGroupParams) p: ChangeGroupParams) {
    await this.commands.execute(new ChangeGroup(by, p.user_group_id, toGroupChange(p)));
  }

  @Endpoint('POST', 'user_groups/:user_group_id/deactivate', {
    audience: 'members',
    section: 'groups 2',
    summary: 'Deactivate a user group',
    command: 'DeactivateGroup',
    returns: null,
  })
  async deactivate(@By() by: Actor, @Params(GroupParams) p: GroupParams) {
    await this.commands.execute(new DeactivateGroup(by, p.user_group_id));
  }
}
