import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { Audience, Recorded, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { RestrictedAt } from '@annals/realm';
import { readRestrictedAt } from '@annals/realm';
import { before, userAccessEvent } from '@annals/users';
import { ConversationOpened } from '../../domain/events';

/** A first direct message gives guests access to the users of the conversation (contract/permissions.md section 7). */
export const conversationsFeed = defineFeed({
  name: 'conversations',
  facts: ({ client, realmId }: FeedReader, events): Promise<RestrictedAt> => {
    const [first, last] = [events[0] as Recorded, events.at(-1) as Recorded];
    return readRestrictedAt(client, realmId, first.position, last.position);
  },
  translations: [
    // It is before the message in the log, so clients know the sender before they receive the message.
    translate(ConversationOpened, ({ data: { userIds }, position }, restrictedAt: RestrictedAt) =>
      restrictedAt(position) ? [userAccessEvent(before(position), userIds, guestsAmong(userIds))] : [],
    ),
  ],
});

const guestsAmong = (users: readonly UserId[]): Audience => ({
  kind: 'but',
  these: { kind: 'users', users },
  not: { kind: 'roles', atMost: Role.member },
});
