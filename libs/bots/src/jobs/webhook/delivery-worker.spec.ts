import { realmContext } from '@annals/realm';
import { Overloaded } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import { botsContext } from '../../bots.context';
import { DeliveryWorker } from './delivery-worker';

let test: TestKernel;
const workers: DeliveryWorker[] = [];
beforeAll(async () => {
  test = await openTestKernel([realmContext, botsContext]);
  await test.kernel.database.pool.query('INSERT INTO realm_heads VALUES ($1, 100, 0) ON CONFLICT DO NOTHING', [REALM]);
});
afterAll(() => test.close());
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await test.kernel.database.pool.query('DELETE FROM bot_deliveries');
});

interface Sent {
  readonly realmId: RealmId;
  readonly messageId: number;
  readonly botId: number;
}
type Deliver = (sent: Sent, isLast: boolean) => Promise<boolean> | boolean;

/** A worker whose deliveries do what is given, and what it did in order. */
function worker(deliver: Deliver = () => true) {
  const done: string[] = [];
  const one = new DeliveryWorker(test.kernel, {
    deliver: async (sent, isLast) => {
      done.push(`${sent.messageId} to ${sent.botId}${isLast ? ' for the last time' : ''}`);
      return deliver(sent, isLast);
    },
    giveUp: ({ messageId }) => Promise.resolve(void done.push(`give up ${messageId}`)),
  });
  workers.push(one);
  return { done, worker: one };
}

const add = (position: number, bot: number, due = 0) =>
  test.kernel.database.pool.query(
    `INSERT INTO bot_deliveries (realm_id, bot_id, position, at, attempts, due_at) VALUES ($1, $2, $3, 0, 0, $4)`,
    [REALM, bot, position, due],
  );
const left = async () => (await test.kernel.database.pool.query('SELECT FROM bot_deliveries')).rowCount;

describe('the worker of outgoing webhooks', () => {
  it('delivers the messages of a bot in order', async () => {
    for (const position of [43, 41, 42]) await add(position, 8);
    const { done, worker: one } = worker();
    await one.idle();
    expect(done).toEqual(['41 to 8', '42 to 8', '43 to 8']);
    expect(await left()).toBe(0);
  });

  it('repeats a message until the last attempt, and delivers the next one only then', async () => {
    await add(41, 8);
    await add(42, 8);
    await add(43, 9);
    const { done, worker: one } = worker(({ messageId }, isLast) => messageId !== 41 || isLast);
    await one.idle();
    expect([...done].sort()).toEqual(['41 to 8', '43 to 9']);
    for (let n = 0; n < 3; n++) {
      test.clock.advance(10_000);
      await one.idle();
    }
    expect(done.slice(2)).toEqual(['41 to 8', '41 to 8', '41 to 8 for the last time', '42 to 8']);
    expect(await left()).toBe(0);
  });

  it('delivers for other bots while one is slow, and for that one nothing more', async () => {
    await add(41, 8);
    await add(42, 8);
    await add(43, 9);
    let release: () => void = () => undefined;
    const slow = new Promise<boolean>((resolve) => (release = () => resolve(true)));
    const { done, worker: one } = worker(({ botId }) => (botId === 8 ? slow : true));
    await one.sweep();
    await add(44, 9);
    await one.sweep();
    expect(done).not.toContain('42 to 8');
    release();
    await one.idle();
    expect([...done].sort()).toEqual(['41 to 8', '42 to 8', '43 to 9', '44 to 9']);
  });

  it('takes over what another worker leased and did not end, after the lease', async () => {
    await add(41, 8);
    const dead = worker(() => new Promise(() => undefined));
    await dead.worker.sweep();
    workers.length = 0;
    const { done, worker: one } = worker();
    await one.idle();
    expect(done).toEqual([]);
    test.clock.advance(60_000);
    await one.idle();
    expect(done).toEqual(['41 to 8']);
  });

  it('gives up a message after many errors of the server, but not while the database is busy', async () => {
    await add(41, 8);
    let error: Error = new Overloaded('too much');
    const { done, worker: one } = worker(() => Promise.reject(error));
    const attempts = async (count: number) => {
      for (let n = 0; n < count; n++) {
        await one.idle();
        test.clock.advance(60_000);
      }
    };
    await attempts(12);
    expect(done).toHaveLength(12);
    error = new TypeError('a mistake');
    await attempts(9);
    expect(done.filter((what) => what.startsWith('41'))).toHaveLength(20);
    expect(done.at(-1)).toBe('give up 41');
    expect(await left()).toBe(0);
  });
});
