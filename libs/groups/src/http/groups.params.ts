import type { GroupId, UserId } from '@annals/kernel/domain';
import { GroupSettingChangeParam, GroupSettingParam, givenChanges, givenSettings } from '@annals/realm/http';
import { AsOfParams, BooleanParam, IntegersParam, PathId, TextParam } from '@annals/web';
import type { MembersChange } from '../application/change-members';
import type { GroupChange, GroupInput } from '../domain/decisions';
import { USER_GROUP_SETTINGS } from '../domain/events';
import { reject } from '../domain/rejections';

/** Code points: as many as a message may have. */
const MAX_DESCRIPTION_LENGTH = 10_000;

export class ListGroupsParams extends AsOfParams {
  @BooleanParam() include_deactivated_groups = false;
}

/** contract/groups.md section 2 */
export class CreateGroupParams {
  @TextParam({ trim: true, printable: true }) name: string;
  @TextParam({ max: MAX_DESCRIPTION_LENGTH }) description: string;
  @IntegersParam() members: readonly UserId[];
  @IntegersParam({ maxItems: 1_000 }) subgroups: readonly GroupId[] = [];
}
for (const name of USER_GROUP_SETTINGS) GroupSettingParam()(CreateGroupParams.prototype, name);

/** contract/groups.md section 2 */
export class ChangeGroupParams {
  @PathId() user_group_id: GroupId;
  @TextParam({ optional: true, trim: true, printable: true }) name?: string;
  @TextParam({ optional: true, max: MAX_DESCRIPTION_LENGTH }) description?: string;
  @BooleanParam({ optional: true, about: 'Only false does something: it reactivates.' }) deactivated?: boolean;
}
for (const name of USER_GROUP_SETTINGS) GroupSettingChangeParam()(ChangeGroupParams.prototype, name);

/** contract/groups.md section 2 */
export class ChangeMembersParams {
  @PathId() user_group_id: GroupId;
  @IntegersParam() add: readonly UserId[] = [];
  @IntegersParam() delete: readonly UserId[] = [];
  @IntegersParam({ maxItems: 1_000 }) add_subgroups: readonly GroupId[] = [];
  @IntegersParam({ maxItems: 1_000 }) delete_subgroups: readonly GroupId[] = [];
}

/** INTERFACE.md 4.18 */
export class ChangeSubgroupsParams {
  @PathId() user_group_id: GroupId;
  @IntegersParam({ maxItems: 1_000 }) add: readonly GroupId[] = [];
  @IntegersParam({ maxItems: 1_000 }) delete: readonly GroupId[] = [];
}

export class GroupParams {
  @PathId() user_group_id: GroupId;
}

export class ListMembersParams extends AsOfParams {
  @PathId() user_group_id: GroupId;
  @BooleanParam() direct_member_only = false;
}

export class IsMemberParams extends GroupParams {
  @PathId() user_id: UserId;
  @BooleanParam() direct_member_only = false;
}

export class ListSubgroupsParams extends GroupParams {
  @BooleanParam() direct_subgroup_only = false;
}

export const toGroupInput = (p: CreateGroupParams): GroupInput => ({
  name: p.name,
  description: p.description,
  settings: givenSettings(p, USER_GROUP_SETTINGS),
  memberIds: once(p.members),
});

/** @throws Rejected BAD_REQUEST when nothing is given */
export function toGroupChange(p: ChangeGroupParams): GroupChange {
  const { name, description, deactivated } = p;
  const changes = givenChanges(p, USER_GROUP_SETTINGS);
  const given = [name, description, deactivated, ...Object.values(changes.settings)];
  if (given.every((one) => one === undefined)) throw reject.nothingToChange();
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    reactivate: deactivated === false,
    ...changes,
  };
}

/** @throws Rejected BAD_REQUEST when all lists are empty */
export function toMembersChange(p: ChangeMembersParams): MembersChange {
  const { add, delete: remove, add_subgroups, delete_subgroups } = p;
  ensureSome(add, remove, add_subgroups, delete_subgroups);
  return {
    add: once(add),
    remove: once(remove),
    addSubgroups: once(add_subgroups),
    removeSubgroups: once(delete_subgroups),
  };
}

/** @throws Rejected BAD_REQUEST when both lists are empty */
export function toSubgroupsChange({ add, delete: remove }: ChangeSubgroupsParams) {
  ensureSome(add, remove);
  return { add: once(add), remove: once(remove) };
}

/** Removes repeated ids. */
export const once = <Id extends number>(ids: readonly Id[]): Id[] => [...new Set(ids)];

function ensureSome(...lists: readonly (readonly number[])[]): void {
  if (lists.every((list) => list.length === 0)) throw reject.nothingToChange();
}
