import { defineFeed, translate } from '@annals/kernel';
import { ApiKeysRevoked, Deactivated } from '@annals/users';
import { pollsEnded, queuesEnded, queuesOfKeysEnded } from '../domain/terminations';

/** What ends queues and polls; it comes after all that other contexts say (contract/realtime.md section 3). */
export const terminationsFeed = defineFeed({
  name: 'endings',
  // A worker ends the queues when it stores these, so it stores them all.
  facts: async () => null,
  translations: [
    translate(Deactivated, ({ data }) => [queuesEnded([data.userId])]),
    translate(ApiKeysRevoked, ({ data: { userId, keyIds } }) => [
      queuesOfKeysEnded(userId, keyIds),
      pollsEnded([userId]),
    ]),
  ],
});
