import type { ChannelPrivacy, ChannelSettings } from '@annals/channels';
import { PrivacyChanged, Returned, Subscribed, Unsubscribed, membersStream } from '@annals/channels';
import type {
  ChannelId,
  ConversationId,
  Fact,
  GroupId,
  MessageId,
  Position,
  TopicId,
  UserId,
} from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Deactivated, UserMuted, UserUnmuted } from '@annals/users';
import fc from 'fast-check';
import { openConversation } from '../domain/conversation';
import type { MessageContentFacts, Place } from '../domain/events';
import { ContentEdited, MessagesDeleted, MessagesMoved, TopicMoved, TopicStarted } from '../domain/events';
import { send } from '../domain/message/message';
import { REFILED_AT_MOST } from '../domain/topic';
import { flagAct, flagFacts } from './flag-acts';
import type { Model } from './visibility-model';
import { CHANNELS, PEOPLE } from './visibility-model';

export const [NOBODY, TEAM, OTHERS] = [1, 20, 21] as [GroupId, GroupId, GroupId];

/** Setting values of every form: a group, users, users with groups. */
const setting = fc.constantFrom<ChannelSettings['can_subscribe_group']>(
  NOBODY,
  TEAM,
  { directMembers: [2, 4] as UserId[], directSubgroups: [] },
  { directMembers: [3] as UserId[], directSubgroups: [TEAM, OTHERS] },
);
export const privacy = fc
  .tuple(fc.constantFrom('web-public', 'public', 'shared', 'protected'), setting, setting)
  .map(([shape, add, subscribe]): ChannelPrivacy => ({
    inviteOnly: shape === 'shared' || shape === 'protected',
    isWebPublic: shape === 'web-public',
    historyPublicToSubscribers: shape !== 'protected',
    settings: {
      can_add_subscribers_group: add,
      can_subscribe_group: subscribe,
      can_administer_channel_group: NOBODY,
    },
  }));
export const groups = fc.subarray([TEAM, OTHERS]);

const channel = fc.constantFrom(...CHANNELS);
const person = fc.constantFrom(...PEOPLE);
/** An act of a random history. */
export const act = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('join' as const), channel, person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), channel, person }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('post' as const), channel, person, mentions: fc.subarray(PEOPLE) }),
  },
  fc.record({ do: fc.constant('write' as const), person, mentions: fc.subarray(PEOPLE) }),
  fc.record({ do: fc.constant('edit' as const), person, mentions: fc.subarray(PEOPLE) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      pick: fc.nat(),
      channel,
      isLarge: fc.boolean(),
      few: fc.nat(3),
    }),
  },
  fc.record({ do: fc.constantFrom('depart' as const, 'return' as const), person }),
  fc.record({ do: fc.constant('reshape' as const), channel, like: privacy }),
  fc.record({ do: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({ do: fc.constant('mute' as const), person, other: person }),
  { weight: 4, arbitrary: flagAct },
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const contentFacts = (mentioned: readonly UserId[]): MessageContentFacts => ({
  mentions: { userIds: [...mentioned], groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
});

/**
 * A message that is stored under a protected channel moves on with a topic that is too large to be stored under its new
 * channel. Users of the protected channel see it, but it is not among their received messages.
 */
export const MOVED_ON_WITHOUT_REFILING: readonly Act[] = [
  { do: 'join', channel: 3 as ChannelId, person: 3 as UserId },
  { do: 'post', channel: 1 as ChannelId, person: 1 as UserId, mentions: [] },
  { do: 'move', pick: 0, channel: 3 as ChannelId, isLarge: false, few: 0 },
  { do: 'move', pick: 0, channel: 1 as ChannelId, isLarge: true, few: 0 },
];
/** An unread message of a user is moved to a protected channel of theirs while their account is deactivated. */
export const MOVED_WHILE_DEACTIVATED: readonly Act[] = [
  { do: 'join', channel: 1 as ChannelId, person: 3 as UserId },
  { do: 'join', channel: 3 as ChannelId, person: 3 as UserId },
  { do: 'post', channel: 1 as ChannelId, person: 1 as UserId, mentions: [] },
  { do: 'depart', person: 3 as UserId },
  { do: 'move', pick: 0, channel: 3 as ChannelId, isLarge: false, few: 0 },
  { do: 'return', person: 3 as UserId },
];
/** The same message moves on, to where the user can read it again. */
export const MOVED_ON_AFTER_RETURN: readonly Act[] = [
  ...MOVED_WHILE_DEACTIVATED,
  { do: 'move', pick: 0, channel: 1 as ChannelId, isLarge: false, few: 0 },
];
/** A public channel, or a private one with protected history. */
export const shaped = (inviteOnly: boolean): ChannelPrivacy => ({
  inviteOnly,
  isWebPublic: false,
  historyPublicToSubscribers: !inviteOnly,
  settings: {
    can_add_subscribers_group: NOBODY,
    can_subscribe_group: NOBODY,
    can_administer_channel_group: NOBODY,
  },
});

/** The facts of an act, each with its stream. There are none if it changes nothing or if the acting account is deactivated. */
export function factsOf(given: Act, model: Model): (readonly [string, Fact])[] {
  if ('person' in given && given.do !== 'return' && model.away.has(given.person)) return [];
  const valid =
    'mentions' in given ? { ...given, mentions: given.mentions.filter((who) => !model.away.has(who)) } : given;
  switch (valid.do) {
    case 'depart': {
      model.away.set(valid.person, model.next());
      const data = { userId: valid.person, role: 400 as const, botOwnerId: null };
      return [[`user-${valid.person}`, fact(Deactivated, data)]];
    }
    case 'return': {
      const since = model.away.get(valid.person);
      if (since === undefined) return [];
      const channelIds = model.reactivates(valid.person, since);
      if (channelIds.length === 0) return [];
      return [[`returns-${valid.person}`, fact(Returned, { userId: valid.person, channelIds, since })]];
    }
    case 'join': {
      if (model.open(valid.channel, valid.person)) return [];
      const key = `${valid.channel}:${valid.person}`;
      model.joins(valid.channel, valid.person);
      model.spans.set(key, [...(model.spans.get(key) ?? []), { from: model.next(), to: null }]);
      const data = { channelId: valid.channel, userIds: [valid.person], colors: ['#c2c2c2'] };
      return [[membersStream(valid.channel), fact(Subscribed, data)]];
    }
    case 'leave': {
      const key = `${valid.channel}:${valid.person}`;
      if (!model.open(valid.channel, valid.person)) return [];
      const to = model.next();
      model.leaves(valid.channel, valid.person);
      model.spans.set(
        key,
        (model.spans.get(key) ?? []).map((span) => (span.to === null ? { ...span, to } : span)),
      );
      return [
        [membersStream(valid.channel), fact(Unsubscribed, { channelId: valid.channel, userIds: [valid.person] })],
      ];
    }
    case 'post': {
      const [known] = [...model.topics].find(([, at]) => at === valid.channel) ?? [];
      if (known !== undefined)
        return [sent(model, { channelId: valid.channel, topicId: known }, valid.person, valid.mentions)];
      const begun = begin(model, valid.channel, (model.position + 2) as MessageId);
      return [begun.fact, sent(model, { channelId: valid.channel, topicId: begun.id }, valid.person, valid.mentions)];
    }
    case 'write': {
      const people = [...new Set([valid.person, ...valid.mentions])].sort((a, b) => a - b);
      const key = people.join();
      const known = model.conversations.get(key);
      const id = known?.id ?? ((model.conversations.size + 1) as ConversationId);
      model.conversations.set(key, { id, people });
      if (!known) model.next();
      const opened = openConversation(known ?? null, id, people).map((one) => [`conversation-${key}`, one] as const);
      return [...opened, sent(model, { conversationId: id, userIds: people }, valid.person, [])];
    }
    case 'edit': {
      const message = model.messages.findLast((one) => one.senderId === valid.person && one.channelId !== null);
      if (!message) return [];
      model.next();
      model.mentionedNow.set(message.id, valid.mentions);
      const data = { messageId: message.id, ...contentFacts(valid.mentions) };
      return [[`message-${message.id}`, fact(ContentEdited, data, { content: 'edited' })]];
    }
    case 'move':
      return moved(model, valid);
    case 'delete':
      return deleted(model, valid.pick);
    case 'flag':
    case 'mark all':
      return flagFacts(valid, model);
    case 'mute':
      return muteToggled(model, valid.person, valid.other);
    case 'reshape': {
      const { settings, ...previous } = model.channels[valid.channel - 1] as ChannelPrivacy;
      const { settings: _, ...shape } = valid.like;
      model.channels[valid.channel - 1] = { ...shape, settings };
      model.next();
      const data = { channelId: valid.channel, privacy: shape, previous };
      return [[`channel-${valid.channel}`, fact(PrivacyChanged, data)]];
    }
  }
}

function deleted(model: Model, pick: number): (readonly [string, Fact])[] {
  const message = model.messages[pick % (model.messages.length || 1)];
  const topicId = message && model.topicOf.get(message.id);
  if (!message || topicId === undefined || message.channelId === null) return [];
  model.next();
  model.deletes(message.id);
  const data = { place: { channelId: message.channelId, topicId }, messageIds: [message.id] };
  return [[`deletions-${message.id}`, fact(MessagesDeleted, data)]];
}

function begin(model: Model, channelId: ChannelId, firstMessageId: MessageId) {
  const id = (Math.max(...model.topics.keys()) + 1) as TopicId;
  model.next();
  model.topics.set(id, channelId);
  const started = fact(TopicStarted, { topicId: id, channelId, firstMessageId }, { name: 't' });
  return { id, fact: [`topic-${id}`, started] as const };
}

/** Moves a topic as a whole (large or small), a topic without some of its messages, or some messages alone. */
function moved(
  model: Model,
  { pick, channel: to, isLarge, few }: Extract<Act, { do: 'move' }>,
): (readonly [string, Fact])[] {
  const topics = [...model.topics].filter(([id]) => [...model.topicOf.values()].includes(id));
  const [topicId, from] = topics[pick % (topics.length || 1)] ?? [];
  if (topicId === undefined || from === undefined) return [];
  const all = model.messages.flatMap(({ id }) => (model.topicOf.get(id) === topicId ? [id] : []));
  const mode = 'change_one' as const;
  const [some, rest] = [all.slice(0, few), all.slice(few)];
  const since = model.since.get(topicId) ?? (0 as Position);
  const stream = `topic-${topicId}`;
  if (few > 0 && rest.length > 0 && !isLarge) {
    const begun = begin(model, to, some[0] as MessageId);
    model.moves(some, to, model.next());
    for (const id of some) model.topicOf.set(id, begun.id);
    const places = { from: { channelId: from, topicId }, to: { channelId: to, topicId: begun.id } };
    return [
      begun.fact,
      [stream, fact(MessagesMoved, { ...places, mode, messageId: some[0] as MessageId, messageIds: some, since })],
    ];
  }
  const left = few > 0 && rest.length > 0 ? begin(model, from, some[0] as MessageId) : null;
  const going = left ? rest : all;
  const position = model.next();
  model.moves(going, to, position);
  model.topics.set(topicId, to);
  if (left) for (const id of some) model.topicOf.set(id, left.id);
  if (to !== from) model.since.set(topicId, isLarge ? position : (0 as Position));
  const data = {
    topicId,
    from,
    to,
    mode,
    messageId: going[0] as MessageId,
    messages: isLarge ? REFILED_AT_MOST + 1 : going.length,
    ...(left && { left: { topicId: left.id, messageIds: some, since } }),
  };
  return [...(left ? [left.fact] : []), [stream, fact(TopicMoved, data, { name: 't', previousName: 't' })]];
}

/** Mutes a user, or unmutes them. */
function muteToggled(model: Model, userId: UserId, mutedUserId: UserId): (readonly [string, Fact])[] {
  const pair = `${userId}:${mutedUserId}`;
  const event = model.muted.has(pair) ? UserUnmuted : UserMuted;
  if (!model.muted.delete(pair)) model.muted.add(pair);
  model.next();
  return [[`muted-users-${userId}`, fact(event, { userId, mutedUserId })]];
}

function sent(model: Model, place: Place, senderId: UserId, mentioned: readonly UserId[]): readonly [string, Fact] {
  const arrived = model.next();
  const id = arrived as number as MessageId;
  const [channelId, conversationId] = 'topicId' in place ? [place.channelId, null] : [null, place.conversationId];
  const message = { id, senderId, channelId, sentChannelId: channelId, conversationId, arrived };
  model.messages.push(message);
  if ('topicId' in place) model.topicOf.set(id, place.topicId);
  model.mentioned.set(id, mentioned);
  model.mentionedNow.set(id, mentioned);
  model.delivers(message, 'topicId' in place ? [senderId, ...mentioned] : place.userIds);
  const text = { words: { content: 'hello' }, facts: contentFacts(mentioned) };
  return [`message-${id}`, send({ place, senderId, text, readBySender: false, echo: null })];
}
