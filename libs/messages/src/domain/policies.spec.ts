import type { GroupId, Role, UserId } from '@annals/kernel/domain';
import type { MessageContentFacts } from './events';
import type { CheckedUser, Poster, PostingChannel, DirectMessageRecipient } from './policies';
import { accessGrantOf, mayMention, mayPost, mayType, mayWriteTo } from './policies';

const [NOBODY, STAFF, EVERYONE] = [1, 2, 3] as [GroupId, GroupId, GroupId];
const person = (id: number, role: Role = 400, ...groups: GroupId[]): CheckedUser => ({
  userId: id as UserId,
  role,
  groups: new Set([EVERYONE, ...groups]),
});
const alice = person(1);
const guest = person(6, 600);

const channel = (different: Partial<PostingChannel> = {}): PostingChannel => ({
  inviteOnly: false,
  isWebPublic: false,
  historyPublicToSubscribers: true,
  isArchived: false,
  topicsPolicy: 'allow_empty_topic',
  canSend: EVERYONE,
  canCreateTopic: EVERYONE,
  ...different,
});
const poster = (different: Partial<Poster> = {}): Poster => ({
  sender: alice,
  isSubscribed: false,
  readsByGroup: false,
  owner: null,
  ...different,
});
const ownedBy = (isSubscribed: boolean, ...groups: GroupId[]) => ({
  owner: { ...person(9, 400, ...groups), isSubscribed },
});
const PRIVATE = { inviteOnly: true, historyPublicToSubscribers: false };
const SHARED = { inviteOnly: true };

describe('access to a channel', () => {
  it.each<[string, Partial<PostingChannel>, Partial<Poster>, unknown]>([
    ['a member into a public one', {}, {}, { kind: 'open' }],
    ['a guest into a public one', {}, { sender: guest }, null],
    ['a subscribed guest into a public one', {}, { sender: guest, isSubscribed: true }, { kind: 'membership', of: 6 }],
    ['a guest into a web-public one', { isWebPublic: true }, { sender: guest }, { kind: 'open' }],
    ['a stranger into a private one', PRIVATE, {}, null],
    ['a subscriber into a private one', PRIVATE, { isSubscribed: true }, { kind: 'membership', of: 1 }],
    ["a subscriber's bot into a private one", PRIVATE, ownedBy(true), { kind: 'membership', of: 9 }],
    ["a stranger's bot into a private one", PRIVATE, ownedBy(false), null],
    ['a group that may read, shared history', SHARED, { readsByGroup: true }, { kind: 'group' }],
    ['a group that may read, protected history', PRIVATE, { readsByGroup: true }, null],
  ])('%s', (_, different, who, grant) => {
    expect(accessGrantOf(channel(different), poster(who))).toEqual(grant);
  });
});

describe('posting', () => {
  const post = (
    different: Partial<PostingChannel> = {},
    who: Partial<Poster> = {},
    topic = { name: 'x', exists: true },
  ) => {
    const verdict = mayPost(channel(different), poster(who), topic);
    return verdict.allowed ? 'allowed' : verdict.because.message;
  };

  it('is refused for the first reason in the order of the contract', () => {
    const all = {
      canSend: STAFF,
      isArchived: true,
      ...PRIVATE,
      canCreateTopic: STAFF,
      topicsPolicy: 'empty_topic_only' as const,
    };
    const fresh = { name: 'x', exists: false };
    const reasons = [
      post(all, {}, fresh),
      post({ ...all, canSend: EVERYONE }, {}, fresh),
      post({ ...all, canSend: EVERYONE, isArchived: false }, {}, fresh),
      post({ ...all, canSend: EVERYONE, isArchived: false }, { isSubscribed: true }, fresh),
      post({ ...all, canSend: EVERYONE, isArchived: false }, { isSubscribed: true }),
      post({ ...all, canSend: EVERYONE, isArchived: false }, { isSubscribed: true }, { name: '', exists: true }),
    ];
    expect(reasons).toEqual([
      'You do not have permission to post in this channel.',
      'Not authorized to send to this channel: it is archived',
      'Not authorized to send to this channel',
      'You do not have permission to create new topics in this channel.',
      'Only the general chat topic is allowed in this channel.',
      'allowed',
    ]);
  });

  it('needs a topic where the empty one is disabled', () => {
    expect(post({ topicsPolicy: 'disable_empty_topic' }, {}, { name: '', exists: true })).toMatch(/general chat/);
    expect(post({ topicsPolicy: 'disable_empty_topic' })).toBe('allowed');
  });

  it('is open to a bot whose owner may, for new topics too', () => {
    expect(post({ canSend: STAFF, canCreateTopic: STAFF }, ownedBy(false, STAFF), { name: 'x', exists: false })).toBe(
      'allowed',
    );
    expect(post({ canSend: STAFF }, ownedBy(false))).not.toBe('allowed');
  });
});

describe('typing notifications', () => {
  const NOT_THERE = 'Invalid channel ID';
  it.each<[string, Partial<PostingChannel>, Partial<Poster>, string]>([
    ['is for a member in a public channel', {}, {}, 'allowed'],
    ['needs no right to begin topics, and no topic that fits', { canCreateTopic: STAFF }, {}, 'allowed'],
    ['is not for a guest in a public channel', {}, { sender: guest }, NOT_THERE],
    ['is for a subscribed guest', {}, { sender: guest, isSubscribed: true }, 'allowed'],
    [
      'is not for strangers of a private channel, whoever may send there',
      { ...PRIVATE, canSend: STAFF },
      {},
      NOT_THERE,
    ],
    ['is for its subscribers', PRIVATE, { isSubscribed: true }, 'allowed'],
    ["is for a subscriber's bot", PRIVATE, ownedBy(true), 'allowed'],
    ['is for those who may send', { canSend: STAFF }, {}, 'You do not have permission to post in this channel.'],
    ['is for a bot of somebody who may send', { canSend: STAFF }, ownedBy(false, STAFF), 'allowed'],
    ['is over in an archived channel', { isArchived: true }, { isSubscribed: true }, NOT_THERE],
  ])('%s', (_, different, who, expected) => {
    const verdict = mayType(channel(different), poster(who));
    expect(verdict.allowed ? 'allowed' : verdict.because.message).toBe(expected);
  });
});

describe('direct messages', () => {
  const rules = { permission: EVERYONE, initiator: EVERYONE, nobody: NOBODY };
  const to = (id: number, different: Partial<DirectMessageRecipient> = {}): DirectMessageRecipient => ({
    ...person(id),
    isActive: true,
    botType: null,
    email: `user${id}@example.com`,
    ...different,
  });
  const write = (
    recipients: DirectMessageRecipient[],
    different: Partial<typeof rules> = {},
    isOpen = false,
    bot = false,
  ) => {
    const verdict = mayWriteTo(recipients, { ...alice, botType: bot ? 1 : null }, isOpen, { ...rules, ...different });
    return verdict.allowed ? 'allowed' : verdict.because.message;
  };

  it('need active recipients', () => {
    expect(write([to(2), to(3, { isActive: false })])).toMatch(/'user3@example.com' is no longer/);
    expect(write([to(3, { isActive: false })], {}, true, true)).toMatch(/no longer/);
  });

  it('are always allowed to oneself, to bots and from bots', () => {
    const strict = { permission: NOBODY, initiator: NOBODY };
    expect(write([], strict)).toBe('allowed');
    expect(write([to(2, { botType: 1 })], strict)).toBe('allowed');
    expect(write([to(2)], strict, false, true)).toBe('allowed');
    expect(write([to(2), to(3, { botType: 1 })], strict)).toMatch(/disabled/);
  });

  it('need one participant with the permission', () => {
    expect(write([to(2)], { permission: STAFF })).toMatch(/does not include/);
    expect(write([to(2, { groups: new Set([STAFF]) })], { permission: STAFF })).toBe('allowed');
  });

  it('need the permission to start a conversation, unless it is open', () => {
    expect(write([to(2)], { initiator: STAFF })).toMatch(/initiate/);
    expect(write([to(2)], { initiator: STAFF }, true)).toBe('allowed');
  });
});

describe('mentioning many users', () => {
  const none = { userIds: [], groupIds: [], channelWildcard: false, topicWildcard: false };
  const rules = { subscribers: 16, canMentionMany: STAFF, mayMentionGroups: true };
  const mention = (
    mentions: Partial<MessageContentFacts['mentions']>,
    different: Partial<typeof rules> = {},
    by = alice,
  ) => {
    const verdict = mayMention({ ...none, ...mentions }, by, { ...rules, ...different });
    return verdict.allowed ? 'allowed' : verdict.because.code;
  };

  it('by a channel wildcard needs a permission in channels with more than fifteen subscribers', () => {
    expect(mention({ channelWildcard: true })).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    expect(mention({ channelWildcard: true }, { subscribers: 15 })).toBe('allowed');
    expect(mention({ channelWildcard: true }, {}, person(2, 400, STAFF))).toBe('allowed');
    expect(mention({})).toBe('allowed');
  });

  it('by a topic wildcard needs a permission in topics with more than fifteen participants', () => {
    const participants = (count: number) => ({
      topicWildcard: true,
      participantIds: Array.from({ length: count }, (_, n) => n as UserId),
    });
    expect(mention(participants(16))).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    expect(mention(participants(16), {}, person(2, 400, STAFF))).toBe('allowed');
    expect(mention(participants(15))).toBe('allowed');
  });

  it('by a group needs the permission of the group', () => {
    expect(mention({}, { mayMentionGroups: false })).toBe('BAD_REQUEST');
    expect(mention({}, { mayMentionGroups: true })).toBe('allowed');
  });
});
