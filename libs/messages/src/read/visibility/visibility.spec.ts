import { READER, channelsContext, readerValues } from '@annals/channels';
import { groupsContext } from '@annals/groups';
import type { RegisterOptions } from '@annals/kernel';
import type { Actor, Fact, Instant, MessageId, Position, RealmId, Role, TopicId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import { usersContext } from '@annals/users';
import fc from 'fast-check';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { NEXT_EVENT, TopicStarted } from '../../domain/events';
import { messagesContext } from '../../messages.context';
import { channelCreated } from '../../spec-support/channel-created';
import type { Act } from '../../spec-support/sight-acts';
import {
  COMES_WHILE_AWAY,
  GOES_ON,
  NOBODY,
  act,
  factsOf,
  groups,
  privacy,
  shaped,
} from '../../spec-support/sight-acts';
import { CHANNELS, Model, PEOPLE } from '../../spec-support/sight-model';
import { MessageFinder } from '../query/message-finder';
import type { MessageRow } from '../content/message-row';
import { readFlags } from '../unread/message-flags-query';
import { readNonSubscriberRecipients } from './non-subscriber-recipients';
import { readImplicitReads } from '../history/implicit-reads';
import { newestReceived } from '../query/newest-received';
import { messagesRegisterBlock } from '../query/register';
import type { CompiledNarrow } from '../narrow/narrow-compiler';
import { EVERYTHING } from '../narrow/narrow-compiler';
import { MAYBE_UNREAD_SQL } from '../unread/unread-sql';
import type { Placed } from './visibility';
import { PLACE_JOIN, RECEIVED_SQL, VISIBLE_SQL, isReceived, isVisible } from './visibility';

const ROLES: readonly Role[] = [100, 400, 400, 600];

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

  const found = (by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>, narrow: CompiledNarrow) =>
    new MessageFinder(test.kernel).find(by as Actor, {
      narrow,
      range: { after: 0, before: Number.MAX_SAFE_INTEGER },
      order: 'oldest first',
      limit: 1_000,
    });

  const firstUnread = (by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>) =>
    new MessageFinder(test.kernel).firstUnread(by as Actor, EVERYTHING);

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

  /** Ids of messages that fetching shows as unread, ascending. */
  const unreadByFlags = async (
    by: Pick<Actor, 'realmId' | 'userId' | 'role' | 'groups'>,
    ids: readonly MessageId[],
  ) => {
    const row = {
      mentions: { userIds: [], groupIds: [] },
      text: { position: 0 },
      sentAt: 0,
      readBy: null,
      editedAt: null,
    };
    const rows = new Map(ids.map((id) => [id, { ...row, id } as unknown as MessageRow]));
    const flags = await readFlags(test.kernel.database.pool, by as Actor, { rows });
    return ids.filter((id) => flags.get(id)?.includes('read') === false);
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
        const returns = PEOPLE.map((one): Act => ({ do: 'return', person: one }));
        await append(realmId, [...started, ...[...acts, ...returns].flatMap((one) => factsOf(one, model))]);
        const all = model.messages.map(({ id }) => id);
        const partings = await readImplicitReads(test.kernel.database.pool, realmId, all, PEOPLE);
        const outsiders = await test.kernel.database.snapshot((client) =>
          readNonSubscriberRecipients(client, realmId, all, PEOPLE),
        );
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
          const parted = all.filter((id) => partings(id, userId) !== undefined);
          const unread = (await idsBySql(by, MAYBE_UNREAD_SQL)).filter((id) => !parted.includes(id));
          expect(unread).toEqual(model.unread(userId));
          expect(await firstUnread(by)).toBe(seen.find(({ id }) => unread.includes(id))?.id);
          expect(all.filter((id) => outsiders(id, userId))).toEqual(model.outside(userId));
          const seenUnread = model.unread(userId).filter((id) => model.visible(by).includes(id));
          expect(await unreadByFlags(by, all)).toEqual(seenUnread);
          expect(await newestReceived(test.kernel.database.pool, by)).toBe(model.received(userId).at(-1) ?? -1);
          expect(await unreadAtRegister(by)).toEqual(seenUnread);
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
        examples: [
          [[[shaped(false), shaped(false), shaped(true)], [...GOES_ON], []]],
          [[[shaped(false), shaped(false), shaped(true)], [...COMES_WHILE_AWAY], []]],
        ],
      },
    );
  });
});
