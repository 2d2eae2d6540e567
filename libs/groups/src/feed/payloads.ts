import type { GroupId, GroupSetting, UserId } from '@annals/kernel/domain';
import type { UserGroupSetting } from '../domain/events';

/** The payload of `user_group` events about members before delivery. */
export type MembersPayload = {
  readonly op: 'add_members' | 'remove_members';
  readonly groupId: GroupId;
  readonly userIds: readonly UserId[];
};

/** The payload of `user_group` events. Names and descriptions are read at delivery. */
export type GroupPayload =
  | MembersPayload
  | { readonly op: 'add' | 'deactivate' | 'reactivate'; readonly groupId: GroupId }
  | {
      readonly op: 'add_subgroups' | 'remove_subgroups';
      readonly groupId: GroupId;
      readonly subgroupIds: readonly GroupId[];
    }
  | { readonly op: 'rename'; readonly groupId: GroupId; readonly isDeactivated: boolean }
  | { readonly op: 'describe'; readonly groupId: GroupId }
  | {
      readonly op: 'set';
      readonly groupId: GroupId;
      readonly setting: UserGroupSetting;
      readonly value: GroupSetting;
    };
