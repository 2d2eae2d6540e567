import { ChannelFacts, READER, SubscriptionFacts, channelsContext, readerValues } from '@annals/channels';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import type { RegisterOptions } from '@annals/kernel';
import type { Actor, Fact, Instant, MessageId, Position, RealmId, Role, TopicId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import { MutedUserFacts, usersContext } from '@annals/users';
import fc from 'fast-check';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { NEXT_EVENT, TopicStarted } from '../../domain/events';
import { messagesContext } from '../../messages.context';
import { channelCreated } from '../../spec-support/channel-created';
import type { Act } from '../../spec-support/visibility-acts';
import {
  MOVED_WHILE_DEACTIVATED,
  MOVED_ON_AFTER_RETURN,
  MOVED_ON_WITHOUT_REFILING,
  NOBODY,
  act,
  factsOf,
  groups,
  privacy,
  shaped,
} from '../../spec-support/visibility-acts';
import { CHANNELS, Model, PEOPLE } from '../../spec-support/visibility-model';
import { MessageFinder } from '../query/message-finder';
import { readMessageRows } from '../content/message-row';
import type { MessageState } from '../unread/message-flags-query';
import { readMessageStates } from '../unread/message-flags-query';
import { ReadStateFacts } from '../flags/read-state-facts';
import { MessageStates } from '../unread/message-states';
import { readNonSubscriberRecipients } from './non-subscriber-recipients';
import { newestReceived } from '../query/newest-received';
import { messagesRegisterBlock } from '../query/register';
import type { CompiledNarrow } from '../narrow/compiled-narrow';
import { EVERYTHING } from '../narrow/compiled-narrow';
import { stillUnread } from '../unread/still-unread';
import { MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import type { VisibilityFacts } from './visibility';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL, isReceived, isVisible } from './visibility';

const ROLES: readonly Role[] = [100, 400, 400, 600];

type By = Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>;

/** The channels of these shapes, each with a topic. */
const startOf = (shapes: readonly Parameters<typeof channelCreated>[1][]) =>
  CHANNELS.flatMap((id, n) => {
    const shape = shapes[n];
    if (!shape) return [];
    const topic = { topicId: id as number as TopicId, channelId: id, firstMessageId: NEXT_EVENT };
    return [channelCreated(id, shape, NOBODY), [`topic-${id}`, fact(TopicStarted, topic, { name: 't' })] as const];
  });

describe('visibility of messages', () => {
  let test: TestKernel;
  let cached: MessageStates;
  beforeAll(async () => {
    test = await openTestKernel([
      realmContext,
      usersContext,
      groupsContext,
      channelsContext,
      filesContext,
      messagesContext,
    ]);
    const facts = [new ChannelFacts(test.kernel), new SubscriptionFacts(test.kernel)] as const;
    cached = new MessageStates(test.kernel, ...facts, new MutedUserFacts(test.kernel), new ReadStateFacts(test.kernel));
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

  const idsBySql = async (by: By, condition: string) => {
    const { rows } = await test.kernel.database.pool.query<{ message_id: MessageId }>(
      `SELECT m.message_id FROM ${READER} CROSS JOIN view.messages AS m ${PLACE_JOIN}
       WHERE m.realm_id = $1 AND $5::bool IS NOT NULL AND $4::int8[] IS NOT NULL AND $3::bool IS NOT NULL
         AND ${condition} ORDER BY m.message_id`,
      readerValues(by),
    );
    return rows.map((row) => row.message_id);
  };

  const found = (by: By, narrow: CompiledNarrow) =>
    new MessageFinder(test.kernel).find(by as Actor, {
      narrow,
      range: { after: 0, before: Number.MAX_SAFE_INTEGER },
      order: 'oldest first',
      limit: 1_000,
    });

  const firstUnread = (by: By) => new MessageFinder(test.kernel).firstUnread(by as Actor, EVERYTHING);

  /** Ids of `unread_msgs` and of its mentions, and of `starred_messages`, ascending. */
  const flaggedAtRegister = async (by: By) => {
    const memory = { of: <Kept>(_: string, create: () => Kept) => create() };
    const options = { keys: new Set(['unread_msgs', 'starred_messages']), capabilities: { empty_topic_name: true } };
    const { unread_msgs, starred_messages: starred } = await test.kernel.database.snapshot(async (client) => {
      const position = (await test.kernel.events.heads([by.realmId], client)).get(by.realmId);
      const snapshot = { client, realmId: by.realmId, position: position ?? (0 as Position), at: 0 as Instant, memory };
      return messagesRegisterBlock.read(snapshot, by as Actor, options as unknown as RegisterOptions);
    });
    const lists = unread_msgs as Record<'pms' | 'streams' | 'huddles', { unread_message_ids: MessageId[] }[]>;
    const ids = [...lists.pms, ...lists.streams, ...lists.huddles].flatMap((list) => list.unread_message_ids);
    const { mentions } = unread_msgs as { readonly mentions: readonly MessageId[] };
    return { unread: ids.sort((a, b) => a - b), mentions: [...mentions].sort((a, b) => a - b), starred };
  };

  /** Ids of messages that fetching shows as unread, ascending: by SQL, and by what the process has cached. */
  const unreadByStates = async (by: By, ids: readonly MessageId[]) => {
    const { pool } = test.kernel.database;
    const rows = await readMessageRows(pool, by.realmId, ids, 'now');
    await test.kernel.fence.reach(by.realmId);
    const [bySql, byCode] = [await readMessageStates(pool, by as Actor, ids), await cached.of(by as Actor, rows)];
    const sorted = (states: readonly MessageState[]) => [...states].sort((a, b) => a.id - b.id);
    expect(sorted(byCode)).toEqual(sorted(bySql));
    return sorted(byCode).flatMap(({ id, isRead }) => (isRead ? [] : [id]));
  };

  const idsOf = (model: Model) => model.messages.map(({ id }) => id);

  const agreesOnOutsiders = async (model: Model, realmId: RealmId) => {
    const all = idsOf(model);
    const received = await test.kernel.database.snapshot((client) =>
      readNonSubscriberRecipients(client, realmId, all, PEOPLE),
    );
    for (const userId of PEOPLE) {
      expect(all.filter((id) => received(id, userId))).toEqual(model.receivedOutside(userId));
    }
  };

  /** @returns the messages that the user can see */
  const agreesOnVisibility = async (model: Model, by: By): Promise<readonly VisibilityFacts[]> => {
    const facts = model.readerFacts(by);
    const channelOf = ({ channelId }: VisibilityFacts) =>
      channelId === null ? null : (model.channels[channelId - 1] ?? null);
    const seen = model.messages.filter((message) => isVisible(message, channelOf(message), facts));
    const received = model.messages.filter((message) => isReceived(message, facts));
    expect(await idsBySql(by, VISIBLE_SQL)).toEqual(seen.map(({ id }) => id));
    expect(await idsBySql(by, RECEIVED_SQL)).toEqual(received.map(({ id }) => id));
    expect(received.map(({ id }) => id)).toEqual(model.received(by.userId));
    expect(seen.map(({ id }) => id)).toEqual(model.visible(by));
    expect(await newestReceived(test.kernel.database.pool, by)).toBe(model.received(by.userId).at(-1) ?? -1);
    return seen;
  };

  const agreesOnUnread = async (model: Model, by: By, seen: readonly VisibilityFacts[]) => {
    const all = idsOf(model);
    const ofModel = model.unread(by.userId);
    const unread = await stillUnread(test.kernel.database.pool, by, await idsBySql(by, MAYBE_UNREAD_SQL));
    expect(unread).toEqual(ofModel);
    expect(await firstUnread(by)).toBe(seen.find(({ id }) => unread.includes(id))?.id);
    const seenUnread = ofModel.filter((id) => model.visible(by).includes(id));
    expect(await unreadByStates(by, all)).toEqual(seenUnread);
    expect(await cached.unreadAmong(by, all)).toEqual(ofModel);
    const flagged = { unread: seenUnread, mentions: model.unreadMentions(by), starred: model.starred(by) };
    expect(await flaggedAtRegister(by)).toEqual(flagged);
  };

  const agreesOnPages = async (model: Model, by: By, seen: readonly VisibilityFacts[]) => {
    const own = model.own(by);
    expect(await found(by, EVERYTHING)).toEqual(own);
    for (const at of CHANNELS) {
      const inChannel = seen.flatMap(({ id, channelId }) => (channelId === at ? [id] : []));
      const narrow = { ...EVERYTHING, within: at, conditions: ['p.channel_id = $6::int8'], values: [at] };
      expect(await found(by, { ...narrow, source: 'seen' })).toEqual(inChannel);
      expect(await found(by, narrow)).toEqual(own.filter((id) => inChannel.includes(id)));
    }
  };

  it('is the same by SQL and by code, for any history of subscriptions, messages, mentions and privacy', async () => {
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
        const started = startOf(shapes);
        model.next(started.length);
        const returns = PEOPLE.map((one): Act => ({ do: 'return', person: one }));
        await append(realmId, [...started, ...[...acts, ...returns].flatMap((one) => factsOf(one, model))]);
        await agreesOnOutsiders(model, realmId);
        for (const [n, userId] of PEOPLE.entries()) {
          const by = { realmId, userId, role: ROLES[n] ?? 400, groups: new Set(inGroups) };
          const seen = await agreesOnVisibility(model, by);
          await agreesOnUnread(model, by, seen);
          await agreesOnPages(model, by, seen);
        }
      }),
      // The time limit of the spec also covers the search for the smallest example.
      {
        numRuns: 60,
        interruptAfterTimeLimit: 60_000,
        examples: [
          [[[shaped(false), shaped(false), shaped(true)], [...MOVED_ON_WITHOUT_REFILING], []]],
          [[[shaped(false), shaped(false), shaped(true)], [...MOVED_WHILE_DEACTIVATED], []]],
          [[[shaped(false), shaped(false), shaped(true)], [...MOVED_ON_AFTER_RETURN], []]],
        ],
      },
    );
  });
});
