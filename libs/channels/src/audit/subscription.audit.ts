import type { EventDescription, SentencePart } from '@annals/kernel';
import { counted, describeEvent, listed, thing } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { OPENING_COMMANDS, REACTIVATING_COMMANDS } from '@annals/users';
import { Returned, Subscribed, SubscriptionPropertyChanged, Unsubscribed } from '../domain/events';

const { channel, user } = thing;

/** The users, or nothing if the actor alone is meant. */
const others = ({ actorId }: Pick<Recorded, 'actorId'>, ids: readonly number[]): SentencePart[] =>
  ids.length === 1 && ids[0] === actorId ? [] : [...listed(ids.map((id) => user(id)))];

const subscribed = describeEvent(Subscribed, {
  meaning: 'Users were subscribed to a channel.',
  commands: [
    'Subscribe',
    'UpdateSubscriptions',
    'CreateChannel',
    ...OPENING_COMMANDS,
    'importUsers',
    'setUpOrganization',
    'UndoAct',
  ],
  sentence: (event) => {
    const { channelId, userIds } = event.data;
    const people = others(event, userIds);
    return ['subscribed ', ...(people.length === 0 ? [] : [...people, ' ']), 'to ', channel(channelId)];
  },
});

const unsubscribed = describeEvent(Unsubscribed, {
  meaning: 'Users are not subscribed to a channel any more.',
  commands: ['Unsubscribe', 'UpdateSubscriptions'],
  sentence: (event) => {
    const { channelId, userIds } = event.data;
    const people = others(event, userIds);
    return ['unsubscribed ', ...(people.length === 0 ? [] : [...people, ' ']), 'from ', channel(channelId)];
  },
});

const returned = describeEvent(Returned, {
  meaning: 'A reactivated user is subscribed to their channels again.',
  commands: REACTIVATING_COMMANDS,
  sentence: ({ data: { userId, channelIds } }) => [
    'subscribed ',
    user(userId),
    ` again to ${counted(channelIds.length, 'channel')}: `,
    ...listed(channelIds.map((id) => channel(id))),
  ],
});

const propertyChanged = describeEvent(SubscriptionPropertyChanged, {
  meaning: 'A user set a property of their subscription to a channel, perhaps to the same value.',
  commands: ['ChangePersonalSettings', 'Subscribe'],
  sentence: ({ data: { channelId, property, value } }) => [
    `set ${property} of `,
    channel(channelId),
    ` to ${String(value)} for themselves`,
  ],
  changes: ({ data: { property, value } }) => [
    { property, after: value, initially: property === 'is_muted' || property === 'pin_to_top' ? false : null },
  ],
});

export const subscriptionDescriptions: readonly EventDescription[] = [
  subscribed,
  unsubscribed,
  returned,
  propertyChanged,
];
