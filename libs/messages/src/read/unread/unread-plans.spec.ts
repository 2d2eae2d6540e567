import { channelsContext, readerValues } from '@annals/channels';
import { filesContext } from '@annals/files';
import { groupsContext } from '@annals/groups';
import type { RealmId, UserId } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import { usersContext } from '@annals/users';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../../test/support/server/kernel';
import { messagesContext } from '../../messages.context';
import { MARKED_AS_UNREAD, UNREAD_WITHIN } from './unread-ids-sql';

/** A part of a plan as EXPLAIN writes it. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** PostgreSQL plans by what it knows of the tables. */
const MANY_MESSAGES = [
  `INSERT INTO view.messages (realm_id, message_id, channel_id, sent_channel_id, topic_id, sender_id, arrived, last_position)
    SELECT 1, n, n % 10, n % 10, n % 200, 3, n, n FROM generate_series(1, 50000) AS n`,
  `INSERT INTO view.topics (realm_id, topic_id, channel_id, arrived, filed_elsewhere, last_position)
    SELECT 1, n, n % 10, 0, false, n FROM generate_series(0, 199) AS n`,
  `INSERT INTO view.memberships (realm_id, channel_id, user_id, from_position, last_position)
    SELECT 1, n % 10, n / 10, 0, 0 FROM generate_series(0, 199) AS n`,
  'ANALYZE view.messages, view.topics, view.memberships, view.personal_flags',
];

const withParts = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withParts)];

describe('the statements that read what is unread', () => {
  let test: TestKernel;
  beforeAll(async () => {
    const contexts = [realmContext, usersContext, groupsContext, channelsContext, filesContext, messagesContext];
    test = await openTestKernel(contexts, { poolSize: 1 });
  });
  afterAll(() => test.close());

  const reader = readerValues({ realmId: 1 as RealmId, userId: 2 as UserId, role: 400, groups: new Set() });

  it.each([
    ['within a range', UNREAD_WITHIN, [...reader, 1_000, 2_000]],
    ['that the account marked', MARKED_AS_UNREAD, reader],
  ])('search messages by an index on their ids, with one plan for all values: %s', async (_, text, values) => {
    const given = values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value)}'`));
    const client = await test.kernel.database.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL plan_cache_mode = force_generic_plan');
      for (const statement of MANY_MESSAGES) await client.query(statement);
      await client.query(`PREPARE unread AS ${text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (FORMAT json) EXECUTE unread (${given.join()})`,
      );
      const [explained] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as { Plan: Plan }[];
      const parts = explained ? withParts(explained.Plan) : [];
      const searches = parts.filter((part) => part['Relation Name'] === 'messages');
      expect(searches.length).toBeGreaterThan(0);
      for (const search of searches) {
        expect(search['Node Type']).toMatch(/^Index (Only )?Scan$/);
        expect(search['Index Cond']).toContain('message_id');
      }
    } finally {
      await client.query('ROLLBACK; DEALLOCATE unread');
      client.release();
    }
  });
});
