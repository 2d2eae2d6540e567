import type { FactOf } from '@annals/kernel/domain';
import { channelId, defineEvent, nullable, t, userId, words } from '@annals/kernel/domain';
import { SWITCHES } from './personal-properties';
import { channelSettings } from './settings';

/** How a channel treats the empty topic; `inherit` follows the organization (contract/messages.md section 1). */
export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];

/** Stream `channel-{id}`: what a channel is and who may do what in it. */
export const ChannelCreated = defineEvent('channels.ChannelCreated', {
  data: t.Object({
    channelId,
    creatorId: nullable(userId),
    inviteOnly: t.Boolean(),
    isWebPublic: t.Boolean(),
    historyPublicToSubscribers: t.Boolean(),
    isDefault: t.Boolean(),
    topicsPolicy: words(...TOPICS_POLICIES),
    /** Null follows the organization, -1 keeps forever. */
    messageRetentionDays: nullable(t.Integer()),
    folderId: nullable(t.Integer({ minimum: 1 })),
    settings: channelSettings,
  }),
  sealed: t.Object({ name: t.String(), description: t.String() }),
  subjects: ({ channelId: channel }) => [['channel', channel]],
});
export type ChannelCreated = FactOf<typeof ChannelCreated>;

/** Stream `members-{id}`: one act, however many people it subscribes; `colors` are theirs, pairwise. */
export const Subscribed = defineEvent('channels.Subscribed', {
  data: t.Object({
    channelId,
    userIds: t.Array(userId, { minItems: 1 }),
    colors: t.Array(t.String({ pattern: '^#[0-9a-f]{6}$' }), { minItems: 1 }),
  }),
  subjects: ({ channelId: channel, userIds }) => [
    ['channel', channel],
    ...userIds.map((user) => ['user', user] as const),
  ],
});
export type Subscribed = FactOf<typeof Subscribed>;

/** Stream `members-{id}`: the counterpart of `Subscribed`. */
export const Unsubscribed = defineEvent('channels.Unsubscribed', {
  data: t.Object({ channelId, userIds: t.Array(userId, { minItems: 1 }) }),
  subjects: ({ channelId: channel, userIds }) => [
    ['channel', channel],
    ...userIds.map((user) => ['user', user] as const),
  ],
});
export type Unsubscribed = FactOf<typeof Unsubscribed>;

const color = t.String({ pattern: '^#[0-9a-f]{6}$' });

/** Stream `subscription-{user}:{channel}`: what somebody set for their subscription, be it what it was before. */
export const SubscriptionPropertyChanged = defineEvent('channels.SubscriptionPropertyChanged', {
  data: t.Union([
    t.Object({ userId, channelId, property: t.Literal('color'), value: color }),
    t.Object({ userId, channelId, property: words(...SWITCHES), value: t.Boolean() }),
  ]),
  subjects: ({ channelId: channel, userId: user }) => [
    ['channel', channel],
    ['user', user],
  ],
});
export type SubscriptionPropertyChanged = FactOf<typeof SubscriptionPropertyChanged>;

export type ChannelEvent = ChannelCreated;
export type MembersEvent = Subscribed | Unsubscribed;
