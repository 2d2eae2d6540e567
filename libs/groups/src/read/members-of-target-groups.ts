import type { Actor, GroupId, UserId } from '@annals/kernel/domain';
import { TargetGroups } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { GroupContents } from './get-group-members';

/** Members of groups, for changes of settings by an administrator. */
@Injectable()
export class MembersOfTargetGroups extends TargetGroups {
  constructor(private readonly contents: GroupContents) {
    super();
  }

  membersOf(by: Actor, group: GroupId): Promise<readonly UserId[]> {
    return this.contents.members(by, group, false);
  }
}
