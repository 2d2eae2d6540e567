import type { GroupId } from '@annals/kernel/domain';
import { defineAggregate } from '@annals/kernel/domain';
import type { GroupEvent } from './events';

/** A group as the rules need it. */
export interface Group {
  readonly groupId: GroupId;
  readonly isSystemGroup: boolean;
  readonly isDeactivated: boolean;
}

export const groupAggregate = defineAggregate<Group | null, GroupEvent, GroupId>('group', null, (_, { data }) => ({
  groupId: data.groupId,
  isSystemGroup: true,
  isDeactivated: false,
}));
