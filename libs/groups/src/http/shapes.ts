import { groupId, nullable, t, userId } from '@annals/kernel/domain';
import { wireGroupSetting } from '@annals/realm/http';
import { USER_GROUP_SETTINGS } from '../domain/events';

/** A user group in the API (contract/groups.md section 1). */
export const groupShape = t.Object(
  {
    id: groupId,
    name: t.String(),
    description: t.String(),
    date_created: nullable(t.Integer({ description: 'UNIX seconds.' })),
    creator_id: nullable(userId),
    members: t.Array(userId),
    direct_subgroup_ids: t.Array(groupId),
    is_system_group: t.Boolean(),
    deactivated: t.Boolean(),
    ...Object.fromEntries(USER_GROUP_SETTINGS.map((name) => [name, wireGroupSetting])),
  },
  { $id: 'UserGroup' },
);
