/** Why a user is notified of a message (contract/push.md section 6). */
export type Trigger =
  | 'direct message'
  | 'mention'
  | 'topic wildcard in followed topic'
  | 'channel wildcard in followed topic'
  | 'topic wildcard'
  | 'channel wildcard'
  | 'followed topic'
  | 'channel';

/** Of which messages a user wants notifications of one kind, for example on the phone or by mail. */
export interface NotificationWishes {
  /** Of direct messages and mentions. */
  readonly mentions: boolean;
  /** Also while the user is online. */
  readonly whileOnline: boolean;
  /** Of all messages in channels. */
  readonly channels: boolean;
  readonly followedTopics: boolean;
  readonly wildcards: boolean;
  readonly followedTopicWildcards: boolean;
}

/** A user's settings for push notifications (contract/boot.md section 6). */
export interface PushSettings {
  readonly enable_offline_push_notifications: boolean;
  readonly enable_online_push_notifications: boolean;
  readonly enable_stream_push_notifications: boolean;
  readonly enable_followed_topic_push_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
  readonly enable_followed_topic_wildcard_mentions_notify: boolean;
}

/** The settings for push notifications as wishes. */
export const pushWishes = (settings: PushSettings): NotificationWishes => ({
  mentions: settings.enable_offline_push_notifications,
  whileOnline: settings.enable_online_push_notifications,
  channels: settings.enable_stream_push_notifications,
  followedTopics: settings.enable_followed_topic_push_notifications,
  wildcards: settings.wildcard_mentions_notify,
  followedTopicWildcards: settings.enable_followed_topic_wildcard_mentions_notify,
});

/** A user's settings for a subscription. Null inherits the user's own settings. */
export interface ChannelWishes {
  readonly isMuted: boolean;
  /** Notifications of all messages in the channel. */
  readonly messages: boolean | null;
  readonly wildcards: boolean | null;
}

export type TopicVisibility = 'inherits' | 'muted' | 'unmuted' | 'followed';

/** Facts about a message for one recipient. */
export interface Received {
  readonly isSender: boolean;
  readonly isRead: boolean;
  readonly isDirect: boolean;
  /** By name, or through a group. */
  readonly isMentioned: boolean;
  readonly channelWildcard: boolean;
  /** The text has a topic wildcard, and the recipient is a participant of the topic. */
  readonly topicWildcard: boolean;
  /** Null for a direct message, and without a subscription. */
  readonly channel: ChannelWishes | null;
  readonly topic: TopicVisibility;
  /** Whether the user is online now. Only read where the wishes depend on it. */
  readonly isPresent: boolean;
  readonly wishes: NotificationWishes;
}

/** Why this user is notified: the first of several reasons. Null when they are not (contract/push.md section 6). */
export function triggerOf(received: Received): Trigger | null {
  return isReachable(received) ? (triggerOfMention(received) ?? triggerOfChannel(received)) : null;
}

/** Facts about a message for one recipient before an edit. */
export interface BeforeEdit {
  /** Whether the text before the edit mentioned them in any way. */
  readonly wasMentioned: boolean;
  /** Whether they were notified of the message. */
  readonly wasNotified: boolean;
}

/**
 * Why this user is notified of an edit: it mentions a user who was not notified of the message. Users in a conversation
 * were notified when it was sent. Null when they are not (contract/push.md section 6).
 */
export function triggerOfEdit(received: Received, { wasMentioned, wasNotified }: BeforeEdit): Trigger | null {
  if (received.isDirect || wasMentioned || wasNotified) return null;
  return isReachable(received) ? triggerOfMention(received) : null;
}

function isReachable({ isSender, isRead, isPresent, wishes }: Received): boolean {
  return !isSender && !isRead && (!isPresent || wishes.whileOnline);
}

/** The sender addressed this user. */
function triggerOfMention({
  isDirect,
  isMentioned,
  channelWildcard,
  topicWildcard,
  ...rest
}: Received): Trigger | null {
  const { channel, topic, wishes } = rest;
  if (!wishes.mentions) return null;
  if (isDirect) return 'direct message';
  if (isMentioned) return 'mention';
  if (!channel || isMuted(channel, topic)) return null;
  if (topic === 'followed' && wishes.followedTopicWildcards) {
    if (topicWildcard) return 'topic wildcard in followed topic';
    if (channelWildcard) return 'channel wildcard in followed topic';
  }
  if (!(channel.wildcards ?? wishes.wildcards)) return null;
  if (topicWildcard) return 'topic wildcard';
  return channelWildcard ? 'channel wildcard' : null;
}

/** The user enabled notifications for the topic or the channel. */
function triggerOfChannel({ channel, topic, wishes }: Received): Trigger | null {
  if (!channel) return null;
  if (topic === 'followed' && wishes.followedTopics) return 'followed topic';
  if (isMuted(channel, topic)) return null;
  return (channel.messages ?? wishes.channels) ? 'channel' : null;
}

/** contract/boot.md section 8 */
const isMuted = ({ isMuted }: ChannelWishes, topic: TopicVisibility): boolean =>
  topic === 'muted' || (topic === 'inherits' && isMuted);
