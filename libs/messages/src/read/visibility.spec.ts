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
import { ContentEdited, NEXT_EVENT, TopicStarted } from '../domain/events';
import type { ContentFacts, Place } from '../domain/events';
import { send } from '../domain/message';
import { messagesContext } from '../messages.context';
import { channelCreated } from '../spec-support/channel-created';
import { messagesRegisterBlock } from './register';
import { UNREAD_SQL } from './unread';
import type { Placed, Sight, Span } from './visibility';
import { CHANNEL_JOIN, RECEIVED_SQL, VISIBLE_SQL, isReceived, isVisible } from './visibility';

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
        return scope === 'all' || (scope === 'received' && inbox.has(id));
      })
      .map(({ id }) => id);
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
      const place = { channelId: wish.channel, topicId: wish.channel as number as TopicId };
      return [sent(model, place, wish.person, wish.calls)];
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

function sent(model: Model, place: Place, senderId: UserId, calls: readonly UserId[]): readonly [string, Fact] {
  const arrived = model.next();
  const id = arrived as number as MessageId;
  const [channelId, conversationId] = 'topicId' in place ? [place.channelId, null] : [null, place.conversationId];
  model.messages.push({ id, senderId, channelId, conversationId, arrived });
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
      `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${CHANNEL_JOIN}
       WHERE m.realm_id = $1 AND $5::bool IS NOT NULL AND $4::int8[] IS NOT NULL AND $3::bool IS NOT NULL
         AND ${condition} ORDER BY m.message_id`,
      readerValues(by),
    );
    return rows.map((row) => row.message_id);
  };

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
          expect(await unreadAtRegister(by)).toEqual(model.unread(userId));
        }
      }),
      { numRuns: 60 },
    );
  });
});
