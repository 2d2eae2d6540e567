/** Why somebody is notified of a message (contract/push.md section 6). */
export type Trigger =
  | 'direct message'
  | 'mention'
  | 'topic wildcard in followed topic'
  | 'channel wildcard in followed topic'
  | 'topic wildcard'
  | 'channel wildcard'
  | 'followed topic'
  | 'channel';

/** What somebody chose for notifications on phones (contract/boot.md section 6). */
export interface PushSettings {
  readonly enable_offline_push_notifications: boolean;
  readonly enable_online_push_notifications: boolean;
  readonly enable_stream_push_notifications: boolean;
  readonly enable_followed_topic_push_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
  readonly enable_followed_topic_wildcard_mentions_notify: boolean;
}

/** What a person chose for a channel that they are subscribed to; null goes by their own settings. */
export interface ChannelPushSettings {
  readonly isMuted: boolean;
  readonly push: boolean | null;
  readonly wildcards: boolean | null;
}

export type TopicVisibility = 'inherits' | 'muted' | 'unmuted' | 'followed';

/** What a message is to somebody whom it reached. */
export interface Received {
  readonly isSender: boolean;
  readonly isRead: boolean;
  readonly isDirect: boolean;
  /** By name, or with a group. */
  readonly isMentioned: boolean;
  readonly channelWildcard: boolean;
  /** There is one, and they take part in the topic. */
  readonly topicWildcard: boolean;
  /** Null for a direct message, and where they are not subscribed. */
  readonly channel: ChannelPushSettings | null;
  readonly topic: TopicVisibility;
  /** In a client at this moment. */
  readonly isPresent: boolean;
  readonly settings: PushSettings;
}

/**
 * Why this person is notified; the first of several reasons. Null when they are not (contract/push.md section 6).
 */
export function triggerOf(received: Received): Trigger | null {
  return isReachable(received) ? (triggerOfMention(received) ?? triggerOfChannel(received)) : null;
}

/** What a message had been to somebody before it was edited. */
export interface BeforeEdit {
  /** The text before called them, in whatever way. */
  readonly wasMentioned: boolean;
  /** They were notified of the message. */
  readonly wasNotified: boolean;
}

/**
 * Why this person is notified of an edit: it calls whom nothing had told of the message. Everybody in a conversation was
 * told when it was sent. Null when they are not (contract/push.md section 6).
 */
export function triggerOfEdit(
  received: Received,
  { wasMentioned: wasCalled, wasNotified: wasTold }: BeforeEdit,
): Trigger | null {
  if (received.isDirect || wasCalled || wasTold) return null;
  return isReachable(received) ? triggerOfMention(received) : null;
}

function isReachable({ isSender, isRead, isPresent, settings }: Received): boolean {
  return !isSender && !isRead && (!isPresent || settings.enable_online_push_notifications);
}

/** Somebody wanted this person to read it. */
function triggerOfMention({
  isDirect,
  isMentioned,
  channelWildcard,
  topicWildcard,
  ...rest
}: Received): Trigger | null {
  const { channel, topic, settings } = rest;
  if (!settings.enable_offline_push_notifications) return null;
  if (isDirect) return 'direct message';
  if (isMentioned) return 'mention';
  if (!channel || isMuted(channel, topic)) return null;
  if (topic === 'followed' && settings.enable_followed_topic_wildcard_mentions_notify) {
    if (topicWildcard) return 'topic wildcard in followed topic';
    if (channelWildcard) return 'channel wildcard in followed topic';
  }
  if (!(channel.wildcards ?? settings.wildcard_mentions_notify)) return null;
  if (topicWildcard) return 'topic wildcard';
  return channelWildcard ? 'channel wildcard' : null;
}

/** This person wanted to hear of everything there. */
function triggerOfChannel({ channel, topic, settings }: Received): Trigger | null {
  if (!channel) return null;
  if (topic === 'followed' && settings.enable_followed_topic_push_notifications) return 'followed topic';
  if (isMuted(channel, topic)) return null;
  return (channel.push ?? settings.enable_stream_push_notifications) ? 'channel' : null;
}

/** contract/boot.md section 8 */
const isMuted = ({ isMuted }: ChannelPushSettings, topic: TopicVisibility): boolean =>
  topic === 'muted' || (topic === 'inherits' && isMuted);
