import { defineFeed, translate } from '@annals/kernel';
import type { Audience, ClientEvent, Recorded } from '@annals/kernel/domain';
import type { RestrictedAt } from '@annals/realm';
import { SubscriptionPropertyChanged, Unsubscribed } from '../../domain/events';
import { byPerson } from './by-person';
import { restrictedAmong, guestAccessEvents } from '../access-changes/guest-user-access';
import type { PropertyPayload } from '../payloads';
import { channelEvent, subscriptionEvent } from '../payloads';

const isUnsubscribed = (event: Recorded): event is Recorded<Unsubscribed> => event.type === Unsubscribed.type;

/** Client events of settings of subscriptions and of unsubscribing (contract/subscriptions.md 3 and 4). */
export const subscriptionsFeed = defineFeed({
  name: 'subscriptions',
  facts: (reader, events) => restrictedAmong(reader, events.filter(isUnsubscribed)),
  translations: [
    // An append has one set of client events, at its last channel, when all its subscribers are removed.
    translate(Unsubscribed, (event, restrictedAt: RestrictedAt, append) => {
      const acts = append.filter(isUnsubscribed);
      return acts.at(-1)?.position === event.position ? [...left(acts), ...guestAccessEvents(acts, restrictedAt)] : [];
    }),
    translate(SubscriptionPropertyChanged, ({ data }) => {
      const { userId, channelId, property, value } = data;
      const propertyEvent = (change: Pick<PropertyPayload, 'property' | 'value'>) =>
        subscriptionEvent({ op: 'update', channelId, ...change }, { kind: 'users', users: [userId] });
      const old = property === 'is_muted' ? [propertyEvent({ property: 'in_home_view', value: !value })] : [];
      return [...old, propertyEvent({ property, value })];
    }),
  ],
});

/**
 * First the users who left, then the channels that they can no longer see, then other users who see the subscribers.
 */
function left(acts: readonly Recorded<Unsubscribed>[]): ClientEvent[] {
  const gone = byPerson(acts).map(({ channelIds, users }) =>
    subscriptionEvent({ op: 'remove', channelIds }, { kind: 'users', users }),
  );
  const hidden = acts.map(({ data: { channelId, userIds } }) => {
    const knowing: Audience = { kind: 'metadata', channel: channelId };
    return channelEvent(
      { op: 'delete', channelIds: [channelId] },
      { kind: 'but', these: { kind: 'users', users: userIds }, not: knowing },
    );
  });
  const peers = acts.map(({ data: { channelId, userIds } }) => {
    const knowing: Audience = { kind: 'subscriber-list', channel: channelId };
    return subscriptionEvent(
      { op: 'peer_remove', channelIds: [channelId], userIds },
      { kind: 'but', these: knowing, not: { kind: 'users', users: userIds } },
    );
  });
  return [...gone, ...hidden, ...peers];
}
