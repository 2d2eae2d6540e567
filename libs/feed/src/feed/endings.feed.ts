import { defineFeed, translate } from '@annals/kernel';
import { ApiKeysRevoked, Deactivated } from '@annals/users';
import { pollsEnded, queuesEnded } from '../domain/endings';

/** What ends queues and polls; it comes after all that other contexts say (contract/realtime.md section 3). */
export const endingsFeed = defineFeed({
  name: 'endings',
  facts: async () => null,
  translations: [
    translate(Deactivated, ({ data }) => [queuesEnded([data.userId])]),
    translate(ApiKeysRevoked, ({ data }) => [pollsEnded([data.userId])]),
  ],
});
