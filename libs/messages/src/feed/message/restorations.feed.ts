import { readChannelsAt } from '@annals/channels';
import type { FeedReader } from '@annals/kernel';
import { defineFeed, translate } from '@annals/kernel';
import type { Audience, ClientEvent, Instant, Position, Recorded } from '@annals/kernel/domain';
import { MessageRestored } from '../../domain/restored-event';
import type { Recipients } from '../../read/history/recipients';
import { readHistoricRecipients } from '../../read/history/recipients';
import { recipientsAudience, subscribersAndReadersAmong } from '../audiences';
import type { SentPayload } from './messages.feed';

/** By position: who has a copy of the message, and whether the channel has protected history. */
type Facts = ReadonlyMap<Position, { readonly recipients: Recipients; readonly isProtected: boolean }>;

/** Restored messages, for users who can read them: clients receive them like new ones (contract/audit.md section 11). */
export const restorationsFeed = defineFeed<Facts>({
  name: 'restorations',
  facts: async (reader: FeedReader, recorded) => {
    const events = (recorded as readonly Recorded<MessageRestored>[]).filter(({ data }) => 'channelId' in data.place);
    const changes = events.flatMap(({ data: { messageId, place }, position }) =>
      'channelId' in place ? [{ messageIds: [messageId], channelId: place.channelId, position }] : [],
    );
    const first = Math.min(...changes.map(({ position }) => position)) as Position;
    const channels = await readChannelsAt(reader, [...new Set(changes.map(({ channelId }) => channelId))], first);
    const recipients = await readHistoricRecipients(reader, changes);
    return new Map(
      changes.map(({ channelId, position }, n) => {
        const isProtected = channels.at(channelId, position)?.historyPublicToSubscribers === false;
        return [position, { recipients: recipients[n] ?? NOBODY, isProtected }];
      }),
    );
  },
  translations: [translate(MessageRestored, toEvents)],
});

const NOBODY: Recipients = { users: [], sentTo: new Map() };

function toEvents({ data, position }: Recorded<MessageRestored>, facts: Facts): ClientEvent[] {
  const { messageId, place, contentPosition, editedAt, arrived } = data;
  const found = facts.get(position);
  const payload: SentPayload = {
    messageId,
    restored: {
      contentPosition: contentPosition as Position,
      editedAt: editedAt as Instant | null,
      channelId: 'channelId' in place ? place.channelId : null,
      topicId: 'topicId' in place ? place.topicId : null,
      arrived: found?.isProtected === true ? (arrived as Position) : null,
    },
  };
  const audience: Audience =
    'channelId' in place
      ? {
          kind: 'any',
          of: [
            subscribersAndReadersAmong(place.channelId, recipientsAudience(found?.recipients ?? NOBODY)),
            { kind: 'all-public', channel: place.channelId },
          ],
        }
      : { kind: 'users', users: place.userIds };
  return [{ type: 'message', audience, payload: { ...payload } }];
}
