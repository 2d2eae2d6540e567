import { defineFeed, translate } from '@annals/kernel';
import { ApiKeysRevoked, Deactivated } from '@annals/users';
import { pollsEnded, queuesEnded, queuesOfKeysEnded } from '../domain/terminations';

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
