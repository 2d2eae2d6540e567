import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Recorded, UserId } from '@annals/kernel/domain';
import type { AlertWordEvent } from '../../domain/alert-words/alert-word-events';
import { AlertWordsAdded, AlertWordsRemoved } from '../../domain/alert-words/alert-word-events';
import { readAlertWordsOf } from '../../read/alert-words/alert-words';

const listChanged = ({ data: { userId } }: Recorded<AlertWordEvent>): ClientEvent[] => [
  { type: 'alert_words', audience: { kind: 'users', users: [userId] }, payload: { userId } },
];

/** contract/realtime.md section 6.3 */
export const alertWordsFeed = defineFeed({
  name: 'alert-words',
  translations: [translate(AlertWordsAdded, listChanged), translate(AlertWordsRemoved, listChanged)],
});

/** The whole list as it is now. Each later change has an event of its own, which follows. */
export const alertWordsPresenter = definePresenter<ReadonlyMap<UserId, readonly string[]>>({
  type: 'alert_words',
  load: ({ client, realmId }, events) => {
    const userIds = events.map(({ payload }) => (payload as Pick<AlertWordsAdded['data'], 'userId'>).userId);
    return readAlertWordsOf(client, realmId, [...new Set(userIds)]);
  },
  present: (_, words, { userId }) => [{ type: 'alert_words', alert_words: words.get(userId) ?? [] }],
  variant: () => 'all',
});
