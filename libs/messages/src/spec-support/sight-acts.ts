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
import { Deactivated } from '@annals/users';
import fc from 'fast-check';
import { openConversation } from '../domain/conversation';
import type { ContentFacts, Place } from '../domain/events';
import { ContentEdited, MessagesMoved, TopicMoved, TopicStarted } from '../domain/events';
import { send } from '../domain/message/message';
import { REFILED_AT_MOST } from '../domain/topic';
import type { Model } from './sight-model';
import { CHANNELS, PEOPLE } from './sight-model';

export const [NOBODY, TEAM, OTHERS] = [1, 20, 21] as [GroupId, GroupId, GroupId];

/** Setting values of every form: a group, people, people with groups. */
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
/** Something that may happen. */
export const act = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('join' as const), channel, person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), channel, person }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('post' as const), channel, person, calls: fc.subarray(PEOPLE) }),
  },
  fc.record({ do: fc.constant('write' as const), person, calls: fc.subarray(PEOPLE) }),
  fc.record({ do: fc.constant('edit' as const), person, calls: fc.subarray(PEOPLE) }),
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
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const contentFacts = (calls: readonly UserId[]): ContentFacts => ({
  mentions: { userIds: [...calls], groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
});

/** What is filed under a protected channel goes on with its topic, too large to be filed anew: it is seen, but not one's own. */
export const GOES_ON: readonly Act[] = [
  { do: 'join', channel: 3 as ChannelId, person: 3 as UserId },
  { do: 'post', channel: 1 as ChannelId, person: 1 as UserId, calls: [] },
  { do: 'move', pick: 0, channel: 3 as ChannelId, isLarge: false, few: 0 },
  { do: 'move', pick: 0, channel: 1 as ChannelId, isLarge: true, few: 0 },
];
/** Somebody's account has ended when what they had not read comes to a protected channel of theirs. */
export const COMES_WHILE_AWAY: readonly Act[] = [
  { do: 'join', channel: 1 as ChannelId, person: 3 as UserId },
  { do: 'join', channel: 3 as ChannelId, person: 3 as UserId },
  { do: 'post', channel: 1 as ChannelId, person: 1 as UserId, calls: [] },
  { do: 'depart', person: 3 as UserId },
  { do: 'move', pick: 0, channel: 3 as ChannelId, isLarge: false, few: 0 },
  { do: 'return', person: 3 as UserId },
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

/** The facts of an act, each with its stream; none when it would change nothing, or somebody acts who is not there. */
export function factsOf(given: Act, model: Model): (readonly [string, Fact])[] {
  if ('person' in given && given.do !== 'return' && model.away.has(given.person)) return [];
  const wish = 'calls' in given ? { ...given, calls: given.calls.filter((who) => !model.away.has(who)) } : given;
  switch (wish.do) {
    case 'depart': {
      model.away.set(wish.person, model.next());
      const data = { userId: wish.person, role: 400 as const, botOwnerId: null };
      return [[`user-${wish.person}`, fact(Deactivated, data)]];
    }
    case 'return': {
      const since = model.away.get(wish.person);
      if (since === undefined) return [];
      const channelIds = model.comesBack(wish.person, since);
      if (channelIds.length === 0) return [];
      return [[`returns-${wish.person}`, fact(Returned, { userId: wish.person, channelIds, since })]];
    }
    case 'join': {
      if (model.open(wish.channel, wish.person)) return [];
      const key = `${wish.channel}:${wish.person}`;
      model.joins(wish.channel, wish.person);
      model.spans.set(key, [...(model.spans.get(key) ?? []), { from: model.next(), to: null }]);
      const data = { channelId: wish.channel, userIds: [wish.person], colors: ['#c2c2c2'] };
      return [[membersStream(wish.channel), fact(Subscribed, data)]];
    }
    case 'leave': {
      const key = `${wish.channel}:${wish.person}`;
      if (!model.open(wish.channel, wish.person)) return [];
      const to = model.next();
      model.leaves(wish.channel, wish.person);
      model.spans.set(
        key,
        (model.spans.get(key) ?? []).map((span) => (span.to === null ? { ...span, to } : span)),
      );
      return [[membersStream(wish.channel), fact(Unsubscribed, { channelId: wish.channel, userIds: [wish.person] })]];
    }
    case 'post': {
      const [known] = [...model.topics].find(([, at]) => at === wish.channel) ?? [];
      if (known !== undefined)
        return [sent(model, { channelId: wish.channel, topicId: known }, wish.person, wish.calls)];
      const begun = begin(model, wish.channel, (model.position + 2) as MessageId);
      return [begun.fact, sent(model, { channelId: wish.channel, topicId: begun.id }, wish.person, wish.calls)];
    }
    case 'write': {
      const people = [...new Set([wish.person, ...wish.calls])].sort((a, b) => a - b);
      const key = people.join();
      const known = model.conversations.get(key);
      const id = known?.id ?? ((model.conversations.size + 1) as ConversationId);
      model.conversations.set(key, { id, people });
      if (!known) model.next();
      const opened = openConversation(known ?? null, id, people).map((one) => [`conversation-${key}`, one] as const);
      return [...opened, sent(model, { conversationId: id, userIds: people }, wish.person, [])];
    }
    case 'edit': {
      const message = model.messages.findLast((one) => one.senderId === wish.person && one.channelId !== null);
      if (!message) return [];
      model.next();
      const data = { messageId: message.id, ...contentFacts(wish.calls) };
      return [[`message-${message.id}`, fact(ContentEdited, data, { content: 'edited' })]];
    }
    case 'move':
      return moved(model, wish);
    case 'reshape': {
      const { settings, ...previous } = model.channels[wish.channel - 1] as ChannelPrivacy;
      const { settings: _, ...shape } = wish.like;
      model.channels[wish.channel - 1] = { ...shape, settings };
      model.next();
      const data = { channelId: wish.channel, privacy: shape, previous };
      return [[`channel-${wish.channel}`, fact(PrivacyChanged, data)]];
    }
  }
}

function begin(model: Model, channelId: ChannelId, firstMessageId: MessageId) {
  const id = (Math.max(...model.topics.keys()) + 1) as TopicId;
  model.next();
  model.topics.set(id, channelId);
  const started = fact(TopicStarted, { topicId: id, channelId, firstMessageId }, { name: 't' });
  return { id, fact: [`topic-${id}`, started] as const };
}

/** A topic as a whole, large or small, or without some of its messages, or some of them alone. */
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

function sent(model: Model, place: Place, senderId: UserId, calls: readonly UserId[]): readonly [string, Fact] {
  const arrived = model.next();
  const id = arrived as number as MessageId;
  const [channelId, conversationId] = 'topicId' in place ? [place.channelId, null] : [null, place.conversationId];
  model.messages.push({ id, senderId, channelId, sentChannelId: channelId, conversationId, arrived });
  if ('topicId' in place) model.topicOf.set(id, place.topicId);
  model.called.set(id, calls);
  model.comes(id, channelId, 'topicId' in place ? [senderId, ...calls] : place.userIds);
  const text = { words: { content: 'hello' }, facts: contentFacts(calls) };
  return [`message-${id}`, send({ place, senderId, text, readBySender: false, echo: null })];
}
