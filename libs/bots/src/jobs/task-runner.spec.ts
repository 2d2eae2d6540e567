import { realmContext } from '@annals/realm';
import { Overloaded } from '@annals/kernel';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import { botsContext } from '../bots.context';
import { TaskRunner } from './task-runner';

const MAX_ATTEMPTS = 8;

let test: TestKernel;
beforeAll(async () => (test = await openTestKernel([realmContext, botsContext])));
afterAll(() => test.close());
afterEach(() => test.kernel.database.pool.query('DELETE FROM bot_tasks'));

/** A runner that answers with a script, and what it did in order. */
function runner(act: (what: string) => void = () => undefined) {
  const done: string[] = [];
  const note = async (what: string) => {
    done.push(what);
    act(what);
  };
  const answers = {
    answer: ({ messageId, botId }: { messageId: number; botId: number }) => note(`answer ${messageId} as ${botId}`),
    giveUp: ({ messageId }: { messageId: number }) => note(`give up ${messageId}`),
  };
  const welcomes = { welcome: (_: number, userId: number) => note(`welcome ${userId}`) };
  return { done, runner: new TaskRunner(test.kernel, answers, welcomes) };
}

const add = (position: number, account: number, kind = 'query') =>
  test.kernel.database.pool.query(
    `INSERT INTO bot_tasks (realm_id, position, account_id, kind, at, attempts, due_at) VALUES ($1, $2, $3, $4, 0, 0, 0)`,
    [REALM, position, account, kind],
  );
const left = async () => (await test.kernel.database.pool.query('SELECT FROM bot_tasks')).rowCount;

describe('the runner of tasks', () => {
  it('runs each in the order of the events, and forgets it', async () => {
    await add(42, 9);
    await add(41, 7, 'welcome');
    await add(42, 8);
    const { done, runner: one } = runner();
    await one.catchUp(REALM);
    expect(done).toEqual(['welcome 7', 'answer 42 as 8', 'answer 42 as 9']);
    expect(await left()).toBe(0);
  });

  it('tries one that fails again later, does the others meanwhile, and gives it up after the last attempt', async () => {
    await add(41, 8);
    await add(42, 8);
    const { done, runner: one } = runner((what) => {
      if (what.startsWith('answer 41')) throw new TypeError('a mistake');
    });
    await one.catchUp(REALM);
    expect(done).toEqual(['answer 41 as 8', 'answer 42 as 8']);
    await one.catchUp(REALM);
    expect(done).toHaveLength(2);
    for (let n = 2; n < MAX_ATTEMPTS; n++) {
      test.clock.advance(600_000);
      await one.catchUp(REALM);
    }
    expect(await left()).toBe(1);
    test.clock.advance(600_000);
    await one.catchUp(REALM);
    expect(done.filter((what) => what === 'answer 41 as 8')).toHaveLength(MAX_ATTEMPTS);
    expect(done.at(-1)).toBe('give up 41');
    expect(await left()).toBe(0);
  });

  it('leaves everything as it is while the database is busy', async () => {
    await add(41, 8);
    await add(42, 8);
    const busy = new Overloaded('too much');
    const { done, runner: one } = runner(() => {
      throw busy;
    });
    await expect(one.catchUp(REALM)).rejects.toBe(busy);
    expect(done).toEqual(['answer 41 as 8']);
    expect(await left()).toBe(2);
  });

  it('does nothing twice if it is asked several times at once', async () => {
    await add(41, 8);
    const { done, runner: one } = runner();
    await Promise.all([one.catchUp(REALM), one.catchUp(REALM), one.sweep()]);
    expect(done).toEqual(['answer 41 as 8']);
  });
});
