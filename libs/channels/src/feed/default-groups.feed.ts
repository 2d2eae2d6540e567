import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { Audience, ClientEvent } from '@annals/kernel/domain';
import { isGuest } from '@annals/kernel/domain';
import { RoleChanged } from '@annals/users';
import { DEFAULT_GROUP_EVENTS } from '../domain/default-groups/default-group-events';
import type { DefaultGroupRow } from '../read/default-groups';
import { readDefaultGroups } from '../read/default-groups';
import { ALL_NON_GUESTS } from './audiences';

const groupsEvent = (audience: Audience): ClientEvent => ({ type: 'default_stream_groups', audience, payload: {} });

/** Each change sends all groups, to a user who is no longer a guest too (contract/realtime.md section 6). */
export const defaultGroupsFeed = defineFeed({
  name: 'default-channel-groups',
  translations: [
    ...DEFAULT_GROUP_EVENTS.map((definition) => translate(definition, () => [groupsEvent(ALL_NON_GUESTS)])),
    translate(RoleChanged, ({ data: { userId, from, to, isActive } }) =>
      isActive && isGuest({ role: from }) !== isGuest({ role: to })
        ? [groupsEvent({ kind: 'users', users: [userId] })]
        : [],
    ),
  ],
});

/** An empty list for a user who became a guest. */
export const defaultGroupsPresenter = definePresenter<readonly DefaultGroupRow[]>({
  type: 'default_stream_groups',
  load: ({ client, realmId }) => readDefaultGroups(client, realmId),
  present: (_, groups, queue) => [
    { type: 'default_stream_groups', default_stream_groups: isGuest(queue) ? [] : groups },
  ],
  variant: (_, __, queue) => (isGuest(queue) ? 'guest' : 'all'),
});
