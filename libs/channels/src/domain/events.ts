import type { FactOf, Position } from '@annals/kernel/domain';
import { channelId, count, defineEvent, nullable, t, userId, words } from '@annals/kernel/domain';
import { SWITCHES } from './subscription/personal-properties';
import { channelSettings } from './channel/settings';

/** How a channel treats the empty topic; `inherit` follows the organization (contract/messages.md section 1). */
export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];

export const folderId = t.Integer({ minimum: 1 });

/** Stream `channel-{id}`: properties and permissions of a channel. */
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
    folderId: nullable(folderId),
    settings: channelSettings,
  }),
  sealed: t.Object({ name: t.String(), description: t.String() }),
  subjects: ({ channelId: channel }) => [['channel', channel]],
});
export type ChannelCreated = FactOf<typeof ChannelCreated>;

const ofChannel = ({ channelId: channel }: { readonly channelId: number }) => [['channel', channel]] as const;
const privacy = t.Object({
  inviteOnly: t.Boolean(),
  isWebPublic: t.Boolean(),
  historyPublicToSubscribers: t.Boolean(),
});

/** Stream `channel-{id}`, like all below up to `Unarchived`. */
export const ChannelRenamed = defineEvent('channels.ChannelRenamed', {
  data: t.Object({ channelId }),
  /** `previous` is the name by which clients know the channel until they receive this. */
  sealed: t.Object({ name: t.String(), previous: t.String() }),
  subjects: ofChannel,
});
export type ChannelRenamed = FactOf<typeof ChannelRenamed>;

export const ChannelDescribed = defineEvent('channels.ChannelDescribed', {
  data: t.Object({ channelId }),
  sealed: t.Object({ description: t.String() }),
  subjects: ofChannel,
});
export type ChannelDescribed = FactOf<typeof ChannelDescribed>;

/** The privacy of a channel changed: who can see it, and how far back they may read. */
export const PrivacyChanged = defineEvent('channels.PrivacyChanged', {
  data: t.Object({ channelId, privacy, previous: privacy }),
  subjects: ofChannel,
});
export type PrivacyChanged = FactOf<typeof PrivacyChanged>;

/** The permission settings of the channel, after and before the change. */
export const PermissionsChanged = defineEvent('channels.PermissionsChanged', {
  data: t.Object({ channelId, settings: channelSettings, previous: channelSettings }),
  subjects: ofChannel,
});
export type PermissionsChanged = FactOf<typeof PermissionsChanged>;

export const RetentionChanged = defineEvent('channels.RetentionChanged', {
  data: t.Object({ channelId, messageRetentionDays: nullable(t.Integer()) }),
  subjects: ofChannel,
});
export type RetentionChanged = FactOf<typeof RetentionChanged>;

export const TopicsPolicyChanged = defineEvent('channels.TopicsPolicyChanged', {
  data: t.Object({ channelId, topicsPolicy: words(...TOPICS_POLICIES) }),
  subjects: ofChannel,
});
export type TopicsPolicyChanged = FactOf<typeof TopicsPolicyChanged>;

/** The channel was put into a folder, or taken out of its folder. */
export const FolderChosen = defineEvent('channels.FolderChosen', {
  data: t.Object({ channelId, folderId: nullable(folderId) }),
  subjects: ofChannel,
});
export type FolderChosen = FactOf<typeof FolderChosen>;

/** New accounts are subscribed to the channel from now on, or no longer. */
export const DefaultChanged = defineEvent('channels.DefaultChanged', {
  data: t.Object({ channelId, isDefault: t.Boolean() }),
  subjects: ofChannel,
});
export type DefaultChanged = FactOf<typeof DefaultChanged>;

export const Archived = defineEvent('channels.Archived', { data: t.Object({ channelId }), subjects: ofChannel });
export type Archived = FactOf<typeof Archived>;

export const Unarchived = defineEvent('channels.Unarchived', { data: t.Object({ channelId }), subjects: ofChannel });
export type Unarchived = FactOf<typeof Unarchived>;

/** Stream `members-{id}`: one event, however many users it subscribes. `colors` are theirs, pairwise. */
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

/**
 * Stream `returns-{user}`: a reactivated user is subscribed to their channels again. They did not receive what was sent
 * meanwhile.
 */
export const Returned = defineEvent('channels.Returned', {
  data: t.Object({
    userId,
    /** Ascending. */
    channelIds: t.Array(channelId, { minItems: 1 }),
    /** Position of the deactivation of the account. */
    since: t.Unsafe<Position>(t.Integer({ minimum: 1 })),
  }),
  subjects: ({ channelIds, userId: user }) => [['user', user], ...channelIds.map((id) => ['channel', id] as const)],
});
export type Returned = FactOf<typeof Returned>;

const color = t.String({ pattern: '^#[0-9a-f]{6}$' });

/** Stream `subscription-{user}:{channel}`: a user set a property of their subscription, perhaps to the same value. */
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

/** Stream `activity-of-day-{day}`: the activity of channels as counted on that day. Unchanged values are left out. */
export const ActivityCounted = defineEvent('channels.ActivityCounted', {
  data: t.Object({
    /** Days since the beginning of 1970, UTC. Everything before this day was counted. */
    day: t.Integer({ minimum: 0 }),
    channels: t.Array(
      t.Object({
        channelId,
        isRecentlyActive: t.Optional(t.Boolean()),
        /** Messages per week. Null while the channel is too new for an average. */
        weeklyTraffic: t.Optional(nullable(count)),
      }),
      { minItems: 1 },
    ),
  }),
});
export type ActivityCounted = FactOf<typeof ActivityCounted>;

/** Stream `activity-{channel}`: a channel that was no longer recently active got a message. */
export const ActivityResumed = defineEvent('channels.ActivityResumed', {
  data: t.Object({ channelId }),
  subjects: ({ channelId: channel }) => [['channel', channel]],
});
export type ActivityResumed = FactOf<typeof ActivityResumed>;

export type ChannelEvent =
  | ChannelCreated
  | ChannelRenamed
  | ChannelDescribed
  | PrivacyChanged
  | PermissionsChanged
  | RetentionChanged
  | TopicsPolicyChanged
  | FolderChosen
  | DefaultChanged
  | Archived
  | Unarchived;
export type MembersEvent = Subscribed | Unsubscribed;

/** Definitions of `ChannelEvent`. */
export const CHANNEL_EVENTS = [
  ChannelCreated,
  ChannelRenamed,
  ChannelDescribed,
  PrivacyChanged,
  PermissionsChanged,
  RetentionChanged,
  TopicsPolicyChanged,
  FolderChosen,
  DefaultChanged,
  Archived,
  Unarchived,
] as const;
