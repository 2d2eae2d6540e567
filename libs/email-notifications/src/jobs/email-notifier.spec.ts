import { defineContext } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { ProfileDeleted } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { openTestKernel } from '../../../../test/support/server/kernel';
import { emailNotificationMigrations } from '../schema';
import { EmailNotifier } from './email-notifier';
import type { LeasedEmailTask } from './email-task-rows';

const [LARGE, SMALL] = [1 as RealmId, 2 as RealmId];

let test: TestKernel;
beforeAll(async () => {
  const migrations = emailNotificationMigrations;
  test = await openTestKernel([
    defineContext({
      name: 'toys',
      migrations,
      events: [ProfileDeleted],
      unhandled: { 'users.ProfileDeleted': 'a toy' },
    }),
  ]);
  // Of the realm context. No organization is deactivated here.
  await query('CREATE SCHEMA IF NOT EXISTS view; CREATE TABLE view.closed_organizations (realm_id int4)');
  await query('INSERT INTO realm_heads (realm_id, position, at) VALUES (1, 1, 0), (2, 1, 0)');
});
beforeEach(() => query('DELETE FROM email_tasks; DELETE FROM missed_messages'));
afterAll(() => test.close());

const query = (sql: string) => test.kernel.database.pool.query(sql);
const addTasks = (realmId: RealmId, count: number) =>
  query(`INSERT INTO email_tasks SELECT ${realmId}, n, n, false, 0, 0, 0, 0 FROM generate_series(1, ${count}) AS n`);
const positions = async () =>
  (await query('SELECT realm_id AS realm, position FROM email_tasks ORDER BY 1, 2')).rows as unknown[];

function notifier(walk: (task: LeasedEmailTask) => Promise<void>, handle: () => Promise<void> = async () => undefined) {
  return new EmailNotifier(test.kernel, { walk }, { handle });
}

describe('the worker for mails about messages', () => {
  it('finishes the tasks of an organization while another one takes its time', async () => {
    await addTasks(LARGE, 20);
    await addTasks(SMALL, 3);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const walked: RealmId[] = [];
    const busy = notifier(async ({ realmId }) => {
      walked.push(realmId);
      if (realmId === LARGE) await finished;
    });
    const sweep = busy.sweep();
    await busy.catchUp(SMALL);
    expect(walked.filter((realmId) => realmId === SMALL)).toHaveLength(3);
    // One organization has only a few tasks at work.
    expect(walked.filter((realmId) => realmId === LARGE).length).toBeLessThanOrEqual(4);
    finish();
    await sweep;
    await busy.stop();
    expect(await positions()).toEqual([]);
  });

  it('tries a task again that failed, later each time, and gives it up after ten attempts', async () => {
    await addTasks(SMALL, 1);
    let attempts = 0;
    const failing = notifier(async () => {
      attempts += 1;
      throw new TypeError('a mistake');
    });
    await failing.catchUp(SMALL);
    await failing.catchUp(SMALL);
    expect(attempts).toBe(1);
    for (let n = 1; n < 10; n++) {
      test.clock.advance(600_000);
      await failing.catchUp(SMALL);
      expect(attempts).toBe(n + 1);
    }
    await failing.stop();
    expect(await positions()).toEqual([]);
  });

  it('delays the mails of the one user whose mails cannot be made, and of nobody else', async () => {
    await query(`INSERT INTO missed_messages SELECT 2, n, 5, 0, 0 FROM generate_series(1, 3) AS n`);
    const handled: number[][] = [];
    const failing = new EmailNotifier(
      test.kernel,
      { walk: async () => undefined },
      {
        handle: async (_: RealmId, users) => {
          handled.push([...users]);
          if (users.some((userId) => (userId as number) === 2)) throw new TypeError('a mistake');
          await query(`DELETE FROM missed_messages WHERE user_id IN (${users.join()})`);
        },
      },
    );
    await failing.catchUp(SMALL);
    await failing.stop();
    expect(handled).toEqual([[1, 2, 3], [1], [2], [3]]);
    const { rows } = await query('SELECT user_id AS user, due_at AS due FROM missed_messages');
    expect(rows).toEqual([{ user: 2, due: (test.clock.now() + 600_000) as Instant }]);
  });
});
