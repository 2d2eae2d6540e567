import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { BooleanParam, By, Endpoint, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListGroups } from '../read/list-groups';
import { presentGroup } from '../read/present-group';
import { groupShape } from './shapes';

class ListGroupsParams {
  @BooleanParam() include_deactivated_groups = false;
}

@Controller()
export class GroupsController {
  constructor(private readonly queries: QueryBus) {}

  /** contract/groups.md section 2 */
  @Endpoint('GET', 'user_groups', {
    audience: 'members',
    section: 'groups 2',
    summary: 'All user groups',
    returns: t.Object({ user_groups: t.Array(groupShape) }),
  })
  async list(@By() by: Actor, @Params(ListGroupsParams) { include_deactivated_groups }: ListGroupsParams) {
    const groups = await this.queries.execute(new ListGroups(by, include_deactivated_groups));
    return { user_groups: groups.map(presentGroup) };
  }
}
