import { ChannelFacts, SubscriptionFacts, channelsContext } from '@annals/channels';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import type { Actor, Fact, GroupId, MessageId, RealmId, TopicId, UserId } from '@annals/kernel/domain';
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
import { NOBODY, act, factsOf, shaped } from '../../spec-support/visibility-acts';
import { CHANNELS, Model, PEOPLE } from '../../spec-support/visibility-model';
import { ReadStateFacts } from '../flags/read-state-facts';
import { TopicFacts } from '../placement/topic-facts';
import type { MessageState } from '../unread/message-flags-query';
import { readMessageStates } from '../unread/message-flags-query';
import { MessageStates } from '../unread/message-states';
import { MessageFacts } from './message-facts';
import type { MessageRow } from './message-row';
import { readMessageRows } from './message-row';

describe('messages that are cached', () => {
  let test: TestKernel;
  let [messages, topics, channels, states]: [MessageFacts, TopicFacts, ChannelFacts, MessageStates] = [] as never;
  beforeAll(async () => {
    test = await openTestKernel([
      realmContext,
      usersContext,
      groupsContext,
      channelsContext,
      filesContext,
      messagesContext,
    ]);
    const { kernel } = test;
    [messages, topics, channels] = [new MessageFacts(kernel), new TopicFacts(kernel), new ChannelFacts(kernel)];
    const [spans, muted, marks] = [
      new SubscriptionFacts(kernel),
      new MutedUserFacts(kernel),
      new ReadStateFacts(kernel),
    ];
    states = new MessageStates(kernel, channels, spans, muted, marks);
  });
  afterAll(() => test.close());

  const origin = { client: 'test', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const append = async (realmId: RealmId, facts: readonly (readonly [string, Fact])[]) => {
    await test.kernel.work.run(
      { realmId, userId: null, origin },
      async (work) => {
        for (const [stream, one] of facts) work.append(stream, [one]);
      },
      { opensRealm: true },
    );
    await test.kernel.fence.reach(realmId);
  };

  const placed = async (realmId: RealmId, ids: readonly MessageId[]): Promise<MessageRow[]> => {
    const found = [...(await messages.byIds(realmId, ids)).values()];
    const places = await topics.byIds(
      realmId,
      found.flatMap(({ row: { topicId } }) => topicId ?? []),
    );
    const known = await channels.byIds(
      realmId,
      [...places.values()].map(({ channelId }) => channelId),
    );
    return found.flatMap((message) => {
      if (message.row.topicId === null) return message.row;
      const topic = places.get(message.row.topicId);
      const channel = topic && known.get(topic.channelId);
      return channel ? message.placedIn(topic, channel) : [];
    });
  };

  const byId = <Row extends { readonly id: MessageId }>(rows: readonly Row[]): Row[] =>
    [...rows].sort((a, b) => a.id - b.id);
  /** When the topic arrived is of the time when the message was read. */
  const comparable = (rows: readonly MessageRow[]) => byId(rows).map((row) => ({ ...row, topicArrived: 0 }));

  it('are as those that are stored, after each act of any history', async () => {
    let realm = 200;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 15, maxLength: 25 }), async (acts) => {
        const realmId = ++realm as RealmId;
        const shapes = [shaped(false), shaped(false), shaped(true)];
        const model = new Model(shapes);
        const started = CHANNELS.flatMap((id, n) => {
          const topic = { topicId: id as number as TopicId, channelId: id, firstMessageId: NEXT_EVENT };
          const first = [`topic-${id}`, fact(TopicStarted, topic, { name: 't' })] as const;
          return [channelCreated(id, shapes[n] ?? shaped(false), NOBODY), first];
        });
        model.next(started.length);
        await append(realmId, started);
        const joins = CHANNELS.flatMap((channel) => PEOPLE.map((person): Act => ({ do: 'join', channel, person })));
        for (const one of [...joins, ...acts]) {
          const facts = factsOf(one, model);
          if (facts.length === 0) continue;
          await append(realmId, facts);
          const all = model.messages.map(({ id }) => id);
          const { pool } = test.kernel.database;
          const rows = await placed(realmId, all);
          expect(comparable(rows)).toEqual(comparable(await readMessageRows(pool, realmId, all, 'now')));
          for (const userId of PEOPLE) {
            const by = { realmId, userId, role: 400, groups: new Set<GroupId>() } as unknown as Actor;
            const stored: MessageState[] = await readMessageStates(pool, by, all);
            expect(byId(await states.of(by, rows))).toEqual(byId(stored));
          }
        }
      }),
      { numRuns: 25, interruptAfterTimeLimit: 60_000 },
    );
  });

  it('are read once, however often their topics are moved', async () => {
    const realmId = 199 as RealmId;
    const ann = 1 as UserId;
    const model = new Model([shaped(false), shaped(false), shaped(true)]);
    const topic = { topicId: 1 as TopicId, channelId: CHANNELS[0] ?? (0 as never), firstMessageId: NEXT_EVENT };
    const started = [
      ...CHANNELS.map((id) => channelCreated(id, shaped(false), NOBODY)),
      ['topic-1', fact(TopicStarted, topic, { name: 't' })] as const,
    ];
    model.next(started.length);
    await append(realmId, started);
    await append(realmId, factsOf({ do: 'post', channel: topic.channelId, person: ann, mentions: [] }, model));
    const ids = model.messages.map(({ id }) => id);
    const [before] = await placed(realmId, ids);
    const to = CHANNELS[1] ?? (0 as never);
    await append(realmId, factsOf({ do: 'move', pick: 0, channel: to, isLarge: false, few: 0 }, model));
    const [after] = await placed(realmId, ids);
    expect(before).toMatchObject({ channelId: topic.channelId, arrived: ids[0] });
    expect(after).toMatchObject({ channelId: to });
    expect(after?.arrived).toBeGreaterThan(ids[0] ?? 0);
    expect(after?.text).toBe(before?.text);
  });
});
