import { definePresenter } from '@annals/kernel';
import type { MembersPayload } from './groups.feed';

/** contract/groups.md section 4 */
export const groupsPresenter = definePresenter({
  type: 'user_group',
  load: async () => null,
  present: ({ payload }) => {
    const { op, groupId, userIds } = payload as MembersPayload;
    return [{ type: 'user_group', op, group_id: groupId, user_ids: userIds }];
  },
  variant: () => 'all',
});
