import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Recorded } from '@annals/kernel/domain';
import { contains } from '@annals/kernel/domain';
import type { MutingEvent } from '../../domain/muting/muting-events';
import { UserMuted, UserUnmuted } from '../../domain/muting/muting-events';
import type { MuteSpan } from '../../read/muting/muted-users';
import { presentMutes, readMuteSpans } from '../../read/muting/muted-users';

const listChanged = ({ data: { userId } }: Recorded<MutingEvent>): ClientEvent[] => [
  { type: 'muted_users', audience: { kind: 'users', users: [userId] }, payload: { userId } },
];

/** contract/realtime.md section 6.2 */
export const mutingFeed = defineFeed({
  name: 'muted-users',
  translations: [translate(UserMuted, listChanged), translate(UserUnmuted, listChanged)],
});

/** The whole list as it was after the event. */
export const mutedUsersPresenter = definePresenter<readonly MuteSpan[]>({
  type: 'muted_users',
  load: ({ client, realmId }, events) => {
    const userIds = events.map(({ payload }) => (payload as Pick<UserMuted['data'], 'userId'>).userId);
    return readMuteSpans(client, realmId, [...new Set(userIds)]);
  },
  present: ({ position }, spans, { userId }) => {
    const isMuted = (span: MuteSpan) => span.userId === userId && contains(span, position);
    return [{ type: 'muted_users', muted_users: presentMutes(spans.filter(isMuted)) }];
  },
  variant: () => 'all',
});
