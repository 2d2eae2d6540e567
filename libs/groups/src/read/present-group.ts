import { unixSeconds } from '@annals/kernel/domain';
import type { ListedGroup } from './list-groups';

/** The group object of the wire (contract/groups.md section 1). */
export const presentGroup = ({ group, members }: ListedGroup) => ({
  id: group.groupId,
  name: group.name,
  description: group.description,
  date_created: unixSeconds(group.createdAt),
  creator_id: group.creatorId,
  members,
  direct_subgroup_ids: group.directSubgroups,
  is_system_group: group.systemName !== null,
  deactivated: group.isDeactivated,
  ...group.settings,
});
