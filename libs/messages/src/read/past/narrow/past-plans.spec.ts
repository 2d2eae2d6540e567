import { channelsContext } from '@annals/channels';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import { feedReader } from '@annals/kernel';
import type { ChannelId, ConversationId, MessageId, Position, RealmId, TopicId, UserId } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import { usersContext } from '@annals/users';
import type { TestKernel } from '../../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../../test/support/server/kernel';
import { messagesContext } from '../../../messages.context';
import { readNewestCandidates } from './newest-candidates';
import type { PastSource } from './past-candidates';
import { readCandidates } from './past-candidates';
import { readPastMessages } from '../past-messages';
import { readTopicsThen, topicsNamed } from './past-names';
import { PastReading } from '../past-reading';
import { hasReactionTerm, hasTerm, isOwn, maybeArrived, mentionedTerm } from './past-tests';
import { readPastTexts } from '../past-texts';

/** Tables that are too large to be read as a whole. */
const LARGE =
  'messages|deleted_messages|deleted_direct_messages|message_moves|topics|topic_stays|personal_flags|mentioned_when_sent|' +
  'memberships|conversation_members|reactions|events_\\d+';

const SOURCES: readonly PastSource[] = [
  { kind: 'topics', ids: [8, 9] as TopicId[] },
  { kind: 'channel', id: 7 as ChannelId },
  { kind: 'conversation', id: 5 as ConversationId },
  { kind: 'sender', id: 3 as UserId },
  { kind: 'received', protectedChannels: [6] as ChannelId[] },
  { kind: 'everything' },
];

interface Sent {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

describe('the statements that read the past of messages', () => {
  let test: TestKernel;
  beforeAll(async () => {
    test = await openTestKernel([
      realmContext,
      usersContext,
      groupsContext,
      channelsContext,
      filesContext,
      messagesContext,
    ]);
  });
  afterAll(() => test.close());

  /** The statements of a reading, as they are sent, with the plans that PostgreSQL keeps for them. */
  const plansOf = (read: (reading: PastReading) => Promise<unknown>): Promise<Map<string, string[]>> =>
    test.kernel.database.snapshot(async (client) => {
      const asker = { position: 500 as Position, today: null };
      const then = { userId: 2 as UserId, role: 400 as const, groups: new Set<never>() };
      const reading = new PastReading(feedReader(test.kernel.events, 1 as RealmId, client), asker, then);
      const query = jest.spyOn(client, 'query');
      await read(reading);
      const sent = query.mock.calls.map(([config]) => config as unknown as Sent);
      query.mockRestore();
      // Tables of a spec are so small that PostgreSQL would read them as a whole.
      await client.query('SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan');
      const plans = new Map<string, string[]>();
      for (const { name, values } of sent) {
        expect(name).toBeDefined();
        const given = values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value)}'`));
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (COSTS off) EXECUTE "${name}" (${given.join()})`,
        );
        plans.set(
          name ?? '',
          rows.map((row) => row['QUERY PLAN']),
        );
      }
      return plans;
    });

  const expectIndexes = (plans: ReadonlyMap<string, string[]>) => {
    for (const [, lines] of plans) {
      expect(lines.filter((line) => new RegExp(`Seq Scan on (${LARGE})`).test(line))).toEqual([]);
    }
  };

  const cases = SOURCES.flatMap((source) => [
    [source.kind, 'newest first', source] as const,
    [source.kind, 'oldest first', source] as const,
  ]);

  it.each(cases)('find candidates by indexes: %s, %s', async (_, order, source) => {
    const terms = [hasTerm('link'), hasReactionTerm, mentionedTerm(2 as UserId)];
    const maybe = [...terms.flatMap((term) => term.maybe ?? []), maybeArrived(2 as UserId)];
    const range = { after: 0, before: 400 };
    for (const conditions of [[], maybe]) {
      const search = { source, maybe: conditions, range, order, limit: 10 };
      const plans = await plansOf((reading) => readCandidates(reading, search));
      expect(plans.size).toBe(1);
      expectIndexes(plans);
    }
  });

  it('read the messages of a topic or a channel by the index of the place', async () => {
    const search = { maybe: [], range: { after: 0, before: 400 }, order: 'newest first', limit: 10 } as const;
    for (const source of SOURCES.slice(0, 3)) {
      const [lines = []] = (await plansOf((reading) => readCandidates(reading, { ...search, source }))).values();
      const byKey = lines.filter((line) => /Scan using \S*messages\S*_pkey/.test(line));
      expect(byKey).toEqual([]);
    }
  });

  it('read names, newest messages and texts by indexes', async () => {
    const ids = [11, 12] as MessageId[];
    const topics = [{ id: 8 as TopicId, before: 400 }];
    expectIndexes(
      await plansOf(async (reading) => {
        await readNewestCandidates(reading, { topics, each: 3, maybe: [maybeArrived(2 as UserId)] });
        await topicsNamed(reading, 7 as ChannelId, 'lunch');
        await readTopicsThen(reading, 7 as ChannelId);
        await readPastMessages(reading, ids);
        await readPastTexts(reading.reader, ids, reading.position);
        await isOwn(reading, []);
        await reading.know([7] as ChannelId[]);
        await reading.knowTopics([8] as TopicId[]);
      }),
    );
  });
});
