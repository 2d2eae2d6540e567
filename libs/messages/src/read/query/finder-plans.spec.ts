import { channelsContext } from '@annals/channels';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import type { Actor, ChannelId, RealmId, UserId } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import { usersContext } from '@annals/users';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { messagesContext } from '../../messages.context';
import { NarrowCompiler } from '../narrow/narrow-compiler';
import type { Criterion, NarrowTerm } from '../narrow/narrow-terms';
import { parseNarrow } from '../narrow/narrow-terms';
import { MessageFinder } from './message-finder';
import { StatementNames } from './statement-names';

/** PostgreSQL may choose a plan for the values of a request so often before it keeps one for all. */
const PLANNED_ANEW = 5;

const [OPEN, PROTECTED] = [7, 6] as ChannelId[];
/** The operators and operands of narrows whose statements differ. */
const SHAPES: Record<string, readonly (readonly [operator: string, operand: unknown, negated?: boolean])[]> = {
  everything: [],
  channel: [['channel', OPEN]],
  'channel with protected history': [['channel', PROTECTED]],
  'public channels': [['channels', 'public']],
  topic: [
    ['channel', OPEN],
    ['topic', 'lunch'],
  ],
  'topic of any channel': [['topic', 'lunch']],
  conversation: [['dm', [3]]],
  'conversations with a user': [['dm-including', 3]],
  'all conversations': [['is', 'dm']],
  'sent by a user': [['sender', 3]],
  'sent by a user in a channel': [
    ['channel', OPEN],
    ['sender', 3],
  ],
  'one message': [['id', 12]],
  near: [['near', 12]],
  mentioned: [['is', 'mentioned']],
  'not mentioned': [['is', 'mentioned', true]],
  'mentions of a user': [['mentions', 3]],
  unread: [['is', 'unread']],
  'unread in a channel': [
    ['channel', OPEN],
    ['is', 'unread'],
  ],
  starred: [['is', 'starred']],
  'not starred': [['is', 'starred', true]],
  alerted: [['is', 'alerted']],
  followed: [['is', 'followed']],
  muted: [['is', 'muted']],
  'not muted': [['in', 'home']],
  resolved: [['is', 'resolved']],
  'with a link': [['has', 'link']],
  'with an image in a channel': [
    ['channel', OPEN],
    ['has', 'image'],
  ],
  'with a reaction': [['has', 'reaction']],
};

/** Tables that are too large to be read as a whole. */
const LARGE =
  'messages|personal_flags|read_blocks|mentions|mentioned_when_sent|memberships|conversation_members|reactions';

/** Compiles narrows of an organization with two channels, a topic and a conversation. */
function compilerOf(): NarrowCompiler {
  const shape = { inviteOnly: false, isWebPublic: false, settings: {} };
  const channel = (id: ChannelId) => ({ ...shape, id, historyPublicToSubscribers: id === OPEN });
  const facts = [
    { byId: async (_: RealmId, id: ChannelId) => channel(id), subscribedBy: async () => new Set([OPEN, PROTECTED]) },
    { named: async () => [{ id: 8, name: 'lunch' }] },
    { people: async (_: Actor, ids: readonly number[]) => ids, person: async (_: Actor, id: number) => id },
    { between: async () => 9 },
    {},
  ];
  return new NarrowCompiler(...(facts as unknown as ConstructorParameters<typeof NarrowCompiler>));
}

describe('the statements that find messages', () => {
  let test: TestKernel;
  beforeAll(async () => {
    const contexts = [realmContext, usersContext, groupsContext, channelsContext, filesContext, messagesContext];
    test = await openTestKernel(contexts, { poolSize: 1 });
  });
  afterAll(() => test.close());

  const by = { realmId: 1 as RealmId, userId: 2 as UserId, role: 400, groups: new Set([3]) } as unknown as Actor;
  const search = { range: { after: 0, before: 1_000 }, limit: 10 };

  /** The statements of one search, as they are sent. */
  const statementsOf = async (shape: string, order: 'newest first' | 'oldest first') => {
    const wire = (SHAPES[shape] ?? []).map(([operator, operand, negated = false]) => ({ operator, operand, negated }));
    const terms = parseNarrow(wire) as readonly NarrowTerm<Criterion>[];
    const narrow = await compilerOf().compile(by, terms);
    await test.kernel.fence.reach(by.realmId);
    const reached = jest.spyOn(test.kernel.fence, 'reached').mockResolvedValue(1_000 as never);
    const query = jest.spyOn(test.kernel.database.pool, 'query');
    await new MessageFinder(test.kernel).find(by, { ...search, narrow, order });
    const sent = query.mock.calls.map(
      ([config]) => config as unknown as { name?: string; text: string; values: unknown[] },
    );
    query.mockRestore();
    reached.mockRestore();
    return sent;
  };

  const cases = Object.keys(SHAPES).flatMap((shape) => [
    [shape, 'newest first'] as const,
    [shape, 'oldest first'] as const,
  ]);

  it.each(cases)('have one plan for all ranges, which reads messages by an index: %s, %s', async (shape, order) => {
    const statements = await statementsOf(shape, order);
    expect(statements.length).toBeGreaterThan(0);
    const client = await test.kernel.database.pool.connect();
    try {
      // Tables of a spec are so small that PostgreSQL would read them as a whole.
      await client.query('SET enable_seqscan = off');
      for (const { name, text, values } of statements) {
        expect(name).toBeDefined();
        for (let n = 0; n <= PLANNED_ANEW; n++) await client.query({ name: name ?? '', text, values });
        const { rows: counts } = await client.query<{ generic: number }>(
          'SELECT generic_plans AS generic FROM pg_prepared_statements WHERE name = $1',
          [name],
        );
        expect(counts[0]?.generic).toBeGreaterThan(0);
        const given = values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value)}'`));
        await client.query('SET plan_cache_mode = force_generic_plan');
        const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (COSTS off) EXECUTE "${name}" (${given.join()})`,
        );
        await client.query('RESET plan_cache_mode');
        const lines = plan.map((row) => row['QUERY PLAN']);
        expect(lines.some((line) => /Index.* on messages/.test(line))).toBe(true);
        expect(lines.filter((line) => new RegExp(`Seq Scan on (${LARGE})`).test(line))).toEqual([]);
      }
    } finally {
      await client.query('RESET enable_seqscan');
      client.release();
    }
  });

  it('have the same name for the same text, and no more than a bounded number of names', () => {
    const [names, others] = [new StatementNames(2), new StatementNames(2)];
    expect(names.named('SELECT 1')).toEqual(others.named('SELECT 1'));
    expect(names.named('SELECT 2').name).not.toBe(names.named('SELECT 1').name);
    expect(names.named('SELECT 3')).toEqual({ text: 'SELECT 3' });
    expect(names.named('SELECT 2').name).toBeDefined();
  });
});
