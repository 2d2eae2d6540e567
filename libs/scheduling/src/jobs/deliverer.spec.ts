import { realmContext } from '@annals/realm';
import { Overloaded, defineContext } from '@annals/kernel';
import type { Instant, RealmId, UserId } from '@annals/kernel/domain';
import { ProfileDeleted } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import type { Deliveries } from '../application/deliveries';
import type { ReminderDeliveries } from '../application/reminder-deliveries';
import type { ScheduledId } from '../domain/events';
import { setReminder } from '../domain/reminder';
import { schedulingContext } from '../scheduling.context';
import { Deliverer } from './deliverer';

const TRIES = 10;
/** All of them remain due, whatever happens to them here. */
const ids = [1, 2, 3, 4, 5];

let test: TestKernel;
beforeAll(async () => {
  test = await openTestKernel([
    realmContext,
    schedulingContext,
    defineContext({ name: 'users', events: [ProfileDeleted] }),
  ]);
  const [set] = setReminder(1 as UserId, null, 0 as Instant, { content: 'x', note: 'x' });
  await test.state(...ids.map((id) => [`reminder-${id}`, set] as const));
});
afterAll(() => test.close());

/** A deliverer with scripted deliveries, and what it asked for, in order. */
function deliverer(act: (id: number, nth: number) => void, read: () => void = () => undefined) {
  const tried: number[] = [];
  const failed: number[] = [];
  const reminders = {
    load: async () => read(),
    deliver: async (_: unknown, id: ScheduledId) => {
      tried.push(id);
      act(id, tried.filter((one) => one === (id as number)).length);
    },
    giveUp: async (_: unknown, id: ScheduledId) => {
      failed.push(id);
      read();
    },
  } as unknown as ReminderDeliveries;
  const messages = { places: () => Promise.resolve(new Map()) } as unknown as Deliveries;
  const deliver = new Deliverer(test.kernel, messages, reminders);
  made.push(deliver);
  return { tried, failed, deliver };
}

// A pass that never ends would outlive its test.
const made: Deliverer[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.stop();
});

describe('the deliverer', () => {
  it('ends a pass without progress, because the clock stepped back', async () => {
    const { tried, failed, deliver } = deliverer(() => undefined);
    await deliver.catchUp(REALM);
    expect([tried, failed]).toEqual([ids, []]);
    await deliver.sweep();
    expect(tried).toEqual([...ids, ...ids]);
  });

  it('attempts a failing row once in each pass, and fails it after ten in a row', async () => {
    const { tried, failed, deliver } = deliverer((id, nth) => {
      // The second one succeeds in between, so its count starts again.
      if (id === 4 || (id === 2 && nth !== 5)) throw new TypeError('a mistake');
    });
    for (let pass = 1; pass < TRIES; pass++) await deliver.catchUp(REALM);
    expect(failed).toEqual([]);
    await deliver.catchUp(REALM);
    expect(failed).toEqual([4]);
    expect(tried.filter((id) => id === 4)).toHaveLength(TRIES);
    expect(new Set(tried)).toEqual(new Set(ids));
    for (let pass = 1; pass < 5; pass++) await deliver.catchUp(REALM);
    expect(failed).toEqual([4]);
    await deliver.catchUp(REALM);
    expect(failed).toEqual([4, 2]);
  });

  it('counts the attempts of each organization by themselves, because both have the same ids', async () => {
    const other = 2 as RealmId;
    const { pool } = test.kernel.database;
    await pool.query(`INSERT INTO view.scheduled
      SELECT (jsonb_populate_record(t, '{"realm_id": 2}')).* FROM view.scheduled AS t WHERE realm_id = 1`);
    const { failed, deliver } = deliverer(() => {
      throw new TypeError('a mistake');
    });
    for (let pass = 1; pass < TRIES; pass++) for (const realmId of [REALM, other]) await deliver.catchUp(realmId);
    expect(failed).toEqual([]);
    await deliver.catchUp(REALM);
    expect(failed).toEqual(ids);
    await pool.query('DELETE FROM view.scheduled WHERE realm_id = 2');
  });

  it('continues with the rest if one can neither be read nor failed', async () => {
    const { tried, failed, deliver } = deliverer(
      (id) => {
        if (id === 2) throw new TypeError('a mistake');
      },
      () => {
        throw new TypeError('an event that nobody can read');
      },
    );
    for (let pass = 1; pass <= TRIES; pass++) {
      tried.splice(0);
      await deliver.catchUp(REALM);
      expect(new Set(tried)).toEqual(new Set(ids));
    }
    expect(failed).toEqual([2]);
  });

  it('reads due rows after the fence, with those that another version has scheduled', async () => {
    const { tried, deliver } = deliverer(() => undefined);
    const { fence, database } = test.kernel;
    const reach = fence.reach.bind(fence);
    jest.spyOn(fence, 'reach').mockImplementationOnce(async (realmId) => {
      await database.pool.query(`INSERT INTO view.scheduled
        SELECT (jsonb_populate_record(t, '{"scheduled_id": 6}')).* FROM view.scheduled AS t WHERE scheduled_id = 1`);
      return reach(realmId);
    });
    await deliver.catchUp(REALM);
    await database.pool.query('DELETE FROM view.scheduled WHERE scheduled_id = 6');
    expect(tried).toContain(6);
  });

  it('checks all organizations although one has to wait', async () => {
    const { deliver } = deliverer(() => undefined);
    const asked: unknown[] = [];
    jest.spyOn(deliver, 'catchUp').mockImplementation((realmId) => {
      asked.push(realmId);
      return Promise.reject(new Overloaded('too much'));
    });
    const { pool } = test.kernel.database;
    const copied = (table: string) =>
      pool.query(`INSERT INTO ${table} SELECT (jsonb_populate_record(t, '{"realm_id": 2}')).* FROM ${table} AS t`);
    await copied('realm_heads');
    await copied('view.scheduled');
    await deliver.sweep();
    for (const table of ['realm_heads', 'view.scheduled']) await pool.query(`DELETE FROM ${table} WHERE realm_id = 2`);
    expect(asked).toEqual([REALM, 2]);
  });

  it.each([
    ['is busy', new Overloaded('too much')],
    ['is away', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ])('keeps all rows in their order while the database %s, and fails none', async (_, error) => {
    let isAway = true;
    const { tried, failed, deliver } = deliverer((id) => {
      if (isAway && id === 3) throw error;
    });
    for (let pass = 0; pass <= TRIES; pass++) await expect(deliver.catchUp(REALM)).rejects.toBe(error);
    expect(failed).toEqual([]);
    isAway = false;
    tried.splice(0);
    await deliver.catchUp(REALM);
    expect(tried).toEqual(ids);
  });
});
