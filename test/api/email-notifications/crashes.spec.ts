import { BATCHING_MS, anotherNotifier, mailsTo } from '../../support/mail/missed';
import { outboxOf } from '../../support/mail/outbox';
import { until } from '../../support/push/push';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let [ann, bob]: Person[] = [];
beforeAll(async () => (server = await startTestServer()));
beforeEach(async () => {
  [ann, bob] = [await server.person({ name: 'Ann Example' }), await server.person({ name: 'Bob Example' })];
});
afterAll(() => server.close());

const anns = () => ann as Person;
const bobs = () => bob as Person;
const direct = (content: string) => idOf(sendDirect(anns(), [bobs().id], { content }));
const query = (sql: string) => server.kernel.database.pool.query(sql);

/** A statement on a table fails so often, as if the worker died there: what it did in the same transaction is undone. */
async function dyingAt(
  table: string,
  statement: 'INSERT' | 'UPDATE' | 'DELETE',
  act: () => Promise<void>,
): Promise<void> {
  await query(`CREATE SEQUENCE spec_deaths;
    CREATE FUNCTION spec_dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('spec_deaths') <= 2 THEN RAISE EXCEPTION 'the worker died' USING ERRCODE = 'P0001'; END IF;
      RETURN coalesce(NEW, OLD);
    END $$;
    CREATE TRIGGER spec_dies BEFORE ${statement} ON ${table} FOR EACH ROW EXECUTE FUNCTION spec_dies()`);
  try {
    await act();
    const { rows } = await server.kernel.database.pool.query<{ deaths: number }>(
      'SELECT last_value::int4 AS deaths FROM spec_deaths',
    );
    expect(rows[0]?.deaths).toBeGreaterThan(2);
  } finally {
    await query(`DROP TRIGGER spec_dies ON ${table}; DROP FUNCTION spec_dies(); DROP SEQUENCE spec_deaths`);
  }
}

/** The texts of all mails to Bob, once as many messages are in them. */
async function textsOf(messages: number): Promise<string[]> {
  const texts = async () =>
    (await outboxOf(server)).filter(({ to }) => to.includes(bobs().email)).map(({ text }) => text);
  const numbers = (all: readonly string[]) => all.flatMap((text) => text.match(/> number \d+/g) ?? []);
  const areAll = async () => numbers(await texts()).length >= messages;
  // A second attempt follows after a while, so the time moves.
  await until(areAll, () => server.clock.advance(BATCHING_MS));
  await server.missedMailsMade();
  const all = await texts();
  expect(numbers(all).sort()).toEqual(Array.from({ length: messages }, (_, n) => `> number ${n + 1}`));
  return all;
}

describe('a worker that dies', () => {
  it.each([
    ['when it adds a task', 'email_tasks', 'INSERT'],
    ['when it notes who missed a message', 'missed_messages', 'INSERT'],
    ['when it notes how far it has got', 'email_tasks', 'UPDATE'],
    ['when it ends a task', 'email_tasks', 'DELETE'],
    ['when it puts messages into a mail', 'missed_messages', 'UPDATE'],
    ['when it puts a mail into the outbox', 'mail_tasks', 'INSERT'],
  ] as const)('%s loses no mail, and causes no second one', async (_, table, statement) => {
    await dyingAt(table, statement, async () => {
      await direct('number 1');
      await direct('number 2');
      await textsOf(2);
    });
  });
});

describe('two workers', () => {
  it('that do the same at the same time send one mail for each conversation', async () => {
    const to = await server.channel(anns(), { subscribers: [anns(), bobs()] });
    for (let n = 1; n <= 3; n++) await direct(`number ${n}`);
    await idOf(send(anns(), { to, topic: 'x', content: `number 4 @**|${bobs().id}**` }));
    await server.missedMailsMade();
    server.clock.advance(BATCHING_MS);
    const other = anotherNotifier(server);
    await Promise.all([server.missedMailsMade(), other.sweep(), other.sweep()]);
    await other.stop();
    expect(await textsOf(4)).toHaveLength(2);
  });
});

it('nothing of what people wrote is stored with what waits', async () => {
  await direct('a very telling word');
  await server.missedMailsMade();
  const { rows } = await server.kernel.database.pool.query('SELECT m.* FROM missed_messages AS m WHERE batch IS NULL');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('telling');
  granted(await bobs().patch('/settings', { enable_offline_email_notifications: false }));
  server.clock.advance(BATCHING_MS);
  expect(await mailsTo(server, bobs())).toEqual([]);
});
