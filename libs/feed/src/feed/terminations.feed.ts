import { defineFeed, translate } from '@annals/kernel';
import { OrganizationDeactivated } from '@annals/realm';
import { ApiKeysRevoked, Deactivated } from '@annals/users';
import { allPollsEnded, pollsEnded, queuesEnded, queuesOfKeysEnded } from '../domain/terminations';

/** Ends queues and polls, after the client events of all other contexts (contract/realtime.md section 3). */
export const terminationsFeed = defineFeed({
  name: 'endings',
  // A worker deletes the queues when it stores these events, so it stores all of them.
  facts: async () => null,
  translations: [
    translate(Deactivated, ({ data }) => [queuesEnded([data.userId])]),
    translate(ApiKeysRevoked, ({ data: { userId, keyIds } }) => [
      queuesOfKeysEnded(userId, keyIds),
      pollsEnded([userId]),
    ]),
  ],
});

/** Ends all polls of a deactivated organization, in every process at once. The queues stay, for the day that it is active again. */
export const organizationFeed = defineFeed({
  name: 'organization-endings',
  translations: [translate(OrganizationDeactivated, () => [allPollsEnded()])],
});
