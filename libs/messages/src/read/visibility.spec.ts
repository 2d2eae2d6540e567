import { READER, channelsContext, membersStream, readerValues } from '@annals/channels';
import { PrivacyChanged, Subscribed, Unsubscribed } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelPrivacy, ChannelSettings, Reader } from '@annals/channels';
import { groupsContext } from '@annals/groups';
import type { RegisterOptions } from '@annals/kernel';
import type { Actor, ChannelId, ConversationId, Fact, GroupId, MessageId, Position } from '@annals/kernel/domain';
import type { Instant } from '@annals/kernel/domain';
import type { RealmId, Role, TopicId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import { usersContext } from '@annals/users';
import fc from 'fast-check';
import type { TestKernel } from '../../../../test/support/kernel';
import { openTestKernel } from '../../../../test/support/kernel';
import { openConversation } from '../domain/conversation';
import { ContentEdited, MessagesMoved, NEXT_EVENT, TopicMoved, TopicStarted } from '../domain/events';
import type { ContentFacts, Place } from '../domain/events';
import { send } from '../domain/message';
import { REFILED_AT_MOST } from '../domain/topic';
import { messagesContext } from '../messages.context';
import { MessageFinder } from './message-finder';
import { messagesRegisterBlock, newestReceived } from './register';
import type { Selection } from './selection';
import { EVERYTHING } from './selection';
import { channelCreated } from '../spec-support/channel-created';
import { UNREAD_SQL } from './unread';
import type { Placed, Sight, Span } from './visibility';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL, isReceived, isVisible } from './visibility';

const CHANNELS = [1, 2, 3] as ChannelId[];
const PEOPLE = [1, 2, 3, 4] as UserId[];
const ROLES: readonly Role[] = [100, 400, 400, 600];
const [NOBODY, TEAM, OTHERS] = [1, 20, 21] as [GroupId, GroupId, GroupId];

/** Setting values of every form: a group, people, people with groups. */
const setting = fc.constantFrom<ChannelSettings['can_subscribe_group']>(
  NOBODY,
  TEAM,
  { directMembers: [2, 4] as UserId[], directSubgroups: [] },
  { directMembers: [3] as UserId[], directSubgroups: [TEAM, OTHERS] },
);
const privacy = fc
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
const groups = fc.subarray([TEAM, OTHERS]);

const channel = fc.constantFrom(...CHANNELS);
const person = fc.constantFrom(...PEOPLE);
const act = fc.oneof(
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
  fc.record({ do: fc.constant('reshape' as const), channel, like: privacy }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const contentFacts = (calls: readonly UserId[]): ContentFacts => ({
  mentions: { userIds: [...calls], groupIds: [], channelWildcard: false, topicWildcard: false },
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMe: false,
});

/** What is filed under a protected channel goes on with its topic, too large to be filed anew: it is seen, but not one's own. */
const GOES_ON: readonly Act[] = [
  { do: 'join', channel: 3 as ChannelId, person: 3 as UserId },
  { do: 'post', channel: 1 as ChannelId, person: 1 as UserId, calls: [] },
  { do: 'move', pick: 0, channel: 3 as ChannelId, isLarge: false, few: 0 },
  { do: 'move', pick: 0, channel: 1 as ChannelId, isLarge: true, few: 0 },
];
const shaped = (inviteOnly: boolean): ChannelPrivacy => ({
  inviteOnly,
  isWebPublic: false,
  historyPublicToSubscribers: !inviteOnly,
  settings: {
    can_add_subscribers_group: NOBODY,
    can_subscribe_group: NOBODY,
    can_administer_channel_group: NOBODY,
  },
});

/** What anybody may see, kept in plain maps beside the log. */
class Model {
  position = 0;
  readonly spans = new Map<string, Span[]>();
  readonly messages: Placed[] = [];
  /** By message, whom it called when it was sent. */
  readonly called = new Map<MessageId, readonly UserId[]>();
  /** Who is subscribed to what now: nothing here knows of spans. */
  readonly subscribed = new Set<string>();
  /** What came to whom, and whether it is unread. */
  readonly inboxes = new Map<UserId, Map<MessageId, { readonly place: ChannelId | null; unread: boolean }>>(
    PEOPLE.map((user) => [user, new Map()]),
  );
  /** By message that was moved, who was subscribed where it came to. */
  readonly witnesses = new Map<MessageId, ReadonlySet<UserId>>();
  /** Topics by their ids, with where they are; several may be in one channel. */
  readonly topics = new Map<TopicId, ChannelId>(CHANNELS.map((id) => [id as number as TopicId, id]));
  readonly topicOf = new Map<MessageId, TopicId>();
  /** Topics that came with more messages than are filed anew, and when. */
  readonly since = new Map<TopicId, Position>();
  readonly conversations = new Map<string, { id: ConversationId; people: UserId[] }>();

  constructor(readonly channels: ChannelPrivacy[]) {}

  open(at: ChannelId, who: UserId): Span | undefined {
    return this.spans.get(`${at}:${who}`)?.find(({ to }) => to === null);
  }

  joins(at: ChannelId, who: UserId): void {
    this.subscribed.add(`${at}:${who}`);
  }

  /** What is left behind counts as read. */
  leaves(at: ChannelId, who: UserId): void {
    this.subscribed.delete(`${at}:${who}`);
    for (const one of this.inboxes.get(who)?.values() ?? []) if (one.place === at) one.unread = false;
  }

  comes(id: MessageId, place: ChannelId | null, to: readonly UserId[]): void {
    const subscribers = PEOPLE.filter((who) => place !== null && this.subscribed.has(`${place}:${who}`));
    for (const who of [...to, ...subscribers]) this.inboxes.get(who)?.set(id, { place, unread: true });
  }

  received = (who: UserId): MessageId[] => [...(this.inboxes.get(who)?.keys() ?? [])];

  unread = (who: UserId): MessageId[] =>
    [...(this.inboxes.get(who) ?? [])]
      .filter(([, { place, unread }]) => unread && (place === null || this.subscribed.has(`${place}:${who}`)))
      .map(([id]) => id);

  visible(reader: Reader): MessageId[] {
    const inbox = new Set(this.received(reader.userId));
    return this.messages
      .filter(({ id, channelId }) => {
        const shape = channelId === null ? undefined : this.channels[channelId - 1];
        if (!shape) return inbox.has(id);
        const scope = historyScope(shape, reader, this.subscribed.has(`${channelId}:${reader.userId}`));
        const came = this.witnesses.get(id)?.has(reader.userId) ?? inbox.has(id);
        return scope === 'all' || (scope === 'received' && came);
      })
      .map(({ id }) => id);
  }

  /** What is somebody's own: received, or come to them where history is protected, as far as they still see it. */
  own(reader: Reader): MessageId[] {
    const inbox = new Set(this.received(reader.userId));
    const isProtected = (at: ChannelId | null) =>
      at !== null && this.channels[at - 1]?.historyPublicToSubscribers === false;
    const came = new Set(
      this.messages.flatMap(({ id, channelId }) =>
        isProtected(channelId) && this.witnesses.get(id)?.has(reader.userId) ? [id] : [],
      ),
    );
    return this.visible(reader).filter((id) => inbox.has(id) || came.has(id));
  }

  /** Messages of a topic go to a channel; whoever is subscribed there by then knows of them. */
  moves(ids: readonly MessageId[], to: ChannelId, arrived: Position): void {
    for (const [n, message] of this.messages.entries()) {
      if (!ids.includes(message.id) || message.channelId === to) continue;
      this.messages[n] = { ...message, channelId: to, arrived };
      this.witnesses.set(message.id, new Set(PEOPLE.filter((who) => this.subscribed.has(`${to}:${who}`))));
      for (const inbox of this.inboxes.values()) {
        const one = inbox.get(message.id);
        if (one) inbox.set(message.id, { ...one, place: to });
      }
    }
  }

  next = (count = 1): Position => (this.position += count) as Position;

  sight(reader: Reader): Sight {
    const { userId } = reader;
    return {
      reader,
      spansIn: (at) => this.spans.get(`${at}:${userId}`) ?? [],
      isIn: (conversation) =>
        [...this.conversations.values()].some(({ id, people }) => id === conversation && people.includes(userId)),
      isCalledBy: (message) => this.called.get(message)?.includes(userId) ?? false,
    };
  }
}

/** The facts of an act, each with its stream; none when it would change nothing. */
function factsOf(wish: Act, model: Model): (readonly [string, Fact])[] {
  switch (wish.do) {
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

describe('who sees which message', () => {
  let test: TestKernel;
  beforeAll(async () => {
    test = await openTestKernel([realmContext, usersContext, groupsContext, channelsContext, messagesContext]);
  });
  afterAll(() => test.close());

  const origin = { client: 'test', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const append = (realmId: RealmId, facts: readonly (readonly [string, Fact])[]) =>
    test.kernel.work.run(
      { realmId, userId: null, origin },
      async (work) => {
        for (const [stream, one] of facts) work.append(stream, [one]);
      },
      { opensRealm: true },
    );

  const idsBySql = async (by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>, condition: string) => {
    const { rows } = await test.kernel.database.pool.query<{ message_id: MessageId }>(
      `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
       WHERE m.realm_id = $1 AND $5::bool IS NOT NULL AND $4::int8[] IS NOT NULL AND $3::bool IS NOT NULL
         AND ${condition} ORDER BY m.message_id`,
      readerValues(by),
    );
    return rows.map((row) => row.message_id);
  };

  const found = (by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>, selection: Selection) =>
    new MessageFinder(test.kernel).find(by as Actor, {
      selection,
      between: { after: 0, before: Number.MAX_SAFE_INTEGER },
      order: 'oldest first',
      limit: 1_000,
    });

  /** Ids of `unread_msgs`, ascending. */
  const unreadAtRegister = async (by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>) => {
    const memory = { of: <Kept>(_: string, create: () => Kept) => create() };
    const options = { keys: new Set(['unread_msgs']), capabilities: { empty_topic_name: true } };
    const { unread_msgs } = await test.kernel.database.snapshot(async (client) => {
      const position = (await test.kernel.events.heads([by.realmId], client)).get(by.realmId);
      const snapshot = { client, realmId: by.realmId, position: position ?? (0 as Position), at: 0 as Instant, memory };
      return messagesRegisterBlock.read(snapshot, by as Actor, options as unknown as RegisterOptions);
    });
    const lists = unread_msgs as Record<'pms' | 'streams' | 'huddles', { unread_message_ids: MessageId[] }[]>;
    const ids = [...lists.pms, ...lists.streams, ...lists.huddles].flatMap((list) => list.unread_message_ids);
    return ids.sort((a, b) => a - b);
  };

  it('is the same by SQL and by code, for any history of memberships, messages, mentions and shapes', async () => {
    let realm = 100;
    const history = fc.tuple(
      fc.array(privacy, { minLength: 3, maxLength: 3 }),
      fc.array(act, { minLength: 20, maxLength: 40 }),
      groups,
    );
    await fc.assert(
      fc.asyncProperty(history, async ([shapes, acts, inGroups]) => {
        const realmId = ++realm as RealmId;
        const model = new Model([...shapes]);
        const started = CHANNELS.flatMap((id, n) => {
          const shape = shapes[n];
          if (!shape) return [];
          const topic = { topicId: id as number as TopicId, channelId: id, firstMessageId: NEXT_EVENT };
          return [
            channelCreated(id, shape, NOBODY),
            [`topic-${id}`, fact(TopicStarted, topic, { name: 't' })] as const,
          ];
        });
        model.next(started.length);
        await append(realmId, [...started, ...acts.flatMap((one) => factsOf(one, model))]);
        for (const [n, userId] of PEOPLE.entries()) {
          const by = { realmId, userId, role: ROLES[n] ?? 400, groups: new Set(inGroups) };
          const sight = model.sight(by);
          const channelOf = ({ channelId }: Placed) =>
            channelId === null ? null : (model.channels[channelId - 1] ?? null);
          const seen = model.messages.filter((message) => isVisible(message, channelOf(message), sight));
          const received = model.messages.filter((message) => isReceived(message, sight));
          expect(await idsBySql(by, VISIBLE_SQL)).toEqual(seen.map(({ id }) => id));
          expect(await idsBySql(by, RECEIVED_SQL)).toEqual(received.map(({ id }) => id));
          expect(received.map(({ id }) => id)).toEqual(model.received(userId));
          expect(seen.map(({ id }) => id)).toEqual(model.visible(by));
          expect(await idsBySql(by, UNREAD_SQL)).toEqual(model.unread(userId));
          expect(await newestReceived(test.kernel.database.pool, by)).toBe(model.received(userId).at(-1) ?? -1);
          expect(await unreadAtRegister(by)).toEqual(model.unread(userId));
          expect(await found(by, EVERYTHING)).toEqual(model.own(by));
          for (const at of CHANNELS) {
            const inChannel = seen.flatMap(({ id, channelId }) => (channelId === at ? [id] : []));
            const narrow = { within: at, conditions: ['p.channel_id = $6::int8'], values: [at] };
            expect(await found(by, { source: 'seen', ...narrow })).toEqual(inChannel);
            const own = model.own(by).filter((id) => inChannel.includes(id));
            expect(await found(by, { source: 'received', ...narrow })).toEqual(own);
          }
        }
      }),
      // Time to look for the smallest example, and to show it.
      {
        numRuns: 60,
        interruptAfterTimeLimit: 60_000,
        examples: [[[[shaped(false), shaped(false), shaped(true)], [...GOES_ON], []]]],
      },
    );
  }, 90_000);
});
