import type { ChannelWishes, PushSettings, Received, Trigger } from './triggers';
import { pushWishes, triggerOf, triggerOfEdit } from './triggers';

const ALL_ON: PushSettings = {
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_push_notifications: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
};
const IN_CHANNEL: ChannelWishes = { isMuted: false, messages: null, wildcards: null };

/** An ordinary message to a channel. By default nobody is notified of it. */
const ORDINARY: Received = {
  isSender: false,
  isRead: false,
  isDirect: false,
  isMentioned: false,
  channelWildcard: false,
  topicWildcard: false,
  channel: IN_CHANNEL,
  topic: 'inherits',
  isPresent: false,
  wishes: pushWishes(ALL_ON),
};
const chosen = (settings: Partial<PushSettings>) => ({ wishes: pushWishes({ ...ALL_ON, ...settings }) });
const subscribed = (channel: Partial<ChannelWishes>) => ({
  channel: { ...IN_CHANNEL, ...channel },
});
const NO_MENTIONS = chosen({ enable_offline_push_notifications: false });
const CHANNELS = chosen({ enable_stream_push_notifications: true });

describe('the reason of a notification', () => {
  it.each<[what: string, of: Partial<Received>, trigger: Trigger | null]>([
    ['an ordinary message', {}, null],
    ['a direct message', { isDirect: true, channel: null }, 'direct message'],
    ['one of who wants none of those', { isDirect: true, channel: null, ...NO_MENTIONS }, null],
    ['one of their own', { isDirect: true, isSender: true }, null],
    ['one that is read', { isDirect: true, isRead: true }, null],
    ['one while they are there', { isDirect: true, isPresent: true }, 'direct message'],
    [
      'one while they are there, and want none then',
      { isDirect: true, isPresent: true, ...chosen({ enable_online_push_notifications: false }) },
      null,
    ],
    ['their name', { isMentioned: true }, 'mention'],
    ['their name where they are not subscribed', { isMentioned: true, channel: null }, 'mention'],
    ['their name in a muted topic', { isMentioned: true, topic: 'muted' }, 'mention'],
    ['their name, when they want no notifications of mentions', { isMentioned: true, ...NO_MENTIONS }, null],
    [
      'their name, when they want channels only',
      { isMentioned: true, ...NO_MENTIONS, ...subscribed({ messages: true }) },
      'channel',
    ],
    ['a wildcard mention of the channel', { channelWildcard: true }, 'channel wildcard'],
    ['a wildcard mention of the topic', { topicWildcard: true, channelWildcard: true }, 'topic wildcard'],
    ['a wildcard mention in a muted topic', { channelWildcard: true, topic: 'muted' }, null],
    ['a wildcard mention in a muted channel', { channelWildcard: true, ...subscribed({ isMuted: true }) }, null],
    [
      'a wildcard mention in an unmuted topic of a muted channel',
      { channelWildcard: true, topic: 'unmuted', ...subscribed({ isMuted: true }) },
      'channel wildcard',
    ],
    [
      'a wildcard mention they do not want',
      { channelWildcard: true, ...chosen({ wildcard_mentions_notify: false }) },
      null,
    ],
    ['a wildcard mention they do not want there', { topicWildcard: true, ...subscribed({ wildcards: false }) }, null],
    [
      'a wildcard mention they want only there',
      { channelWildcard: true, ...subscribed({ wildcards: true }), ...chosen({ wildcard_mentions_notify: false }) },
      'channel wildcard',
    ],
    ['a wildcard mention where they are not subscribed', { channelWildcard: true, channel: null }, null],
    [
      'a wildcard mention in a topic they follow',
      { channelWildcard: true, topic: 'followed' },
      'channel wildcard in followed topic',
    ],
    [
      'a wildcard mention of a topic they follow',
      { topicWildcard: true, topic: 'followed' },
      'topic wildcard in followed topic',
    ],
    ['a topic they follow', { topic: 'followed' }, 'followed topic'],
    [
      'a topic they follow in a muted channel',
      { topic: 'followed', ...subscribed({ isMuted: true }) },
      'followed topic',
    ],
    [
      'a topic they follow in silence',
      { topic: 'followed', ...chosen({ enable_followed_topic_push_notifications: false }) },
      null,
    ],
    ['a channel, when they want all', CHANNELS, 'channel'],
    ['a channel, when they want that one', subscribed({ messages: true }), 'channel'],
    ['a channel, when they want all but that one', { ...CHANNELS, ...subscribed({ messages: false }) }, null],
    ['a muted channel', { ...subscribed({ isMuted: true, messages: true }) }, null],
    ['a muted topic', { topic: 'muted', ...subscribed({ messages: true }) }, null],
    ['a channel they are not in', { ...CHANNELS, channel: null }, null],
  ])('%s', (_, of, trigger) => {
    expect(triggerOf({ ...ORDINARY, ...of })).toBe(trigger);
  });
});

describe('the reason of a notification of an edit', () => {
  const NEW = { wasMentioned: false, wasNotified: false };
  it.each<
    [what: string, of: Partial<Received>, before: { wasMentioned: boolean; wasNotified: boolean }, Trigger | null]
  >([
    ['their name, which was not there', { isMentioned: true }, NEW, 'mention'],
    ['a wildcard mention of the channel, which was not there', { channelWildcard: true }, NEW, 'channel wildcard'],
    ['a mention, where they had been mentioned', { isMentioned: true }, { ...NEW, wasMentioned: true }, null],
    ['a mention, where they had been notified', { isMentioned: true }, { ...NEW, wasNotified: true }, null],
    [
      'their name, when they want no notifications of mentions',
      { isMentioned: true, ...NO_MENTIONS, ...subscribed({ messages: true }) },
      NEW,
      null,
    ],
    ['their name, by themselves', { isMentioned: true, isSender: true }, NEW, null],
    ['their name, where they have read it', { isMentioned: true, isRead: true }, NEW, null],
    ['a text that mentions nobody', {}, NEW, null],
    ['one in a channel of which they want all', CHANNELS, NEW, null],
    ['one in a topic they follow', { topic: 'followed' }, NEW, null],
    [
      'a direct message, which everybody was notified of',
      { isDirect: true, isMentioned: true, channel: null },
      NEW,
      null,
    ],
  ])('%s', (_, of, before, trigger) => {
    expect(triggerOfEdit({ ...ORDINARY, ...of }, before)).toBe(trigger);
  });
});
