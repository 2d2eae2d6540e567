import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from '@annals/kernel';
import { defineContext, systemActor } from '@annals/kernel';
import type { Instant, UserId } from '@annals/kernel/domain';
import { ProfileDeleted } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import type { ScheduledId } from '../domain/events';
import { ReminderDelivered } from '../domain/events';
import { delivered, reminderAggregate, setReminder } from '../domain/reminder';
import { schedulingContext } from '../scheduling.context';
import { OrderedDelivery } from './delivery-order';

const COUNT = 40;

describe('ordered deliveries', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel([schedulingContext, defineContext({ name: 'users', events: [ProfileDeleted] })]);
    const [set] = setReminder(1 as UserId, null, 0 as Instant, { content: 'x', note: 'x' });
    await test.state(...ids.map((id) => [`reminder-${id}`, set] as const));
  });
  afterEach(() => test.close());

  const ids = Array.from({ length: COUNT }, (_, n) => (n + 1) as ScheduledId);
  /** Delivers one unless that has been done. */
  const deliver = async (work: Work, id: ScheduledId) => {
    const state = await work.read(reminderAggregate, id);
    if (state?.status !== 'waiting') return false;
    await work.decide(reminderAggregate, id, () => delivered(state));
    return true;
  };
  const deliveredIds = async () => {
    const events = await test.kernel.events.page(REALM, 0, 1_000);
    return events
      .filter(({ type }) => type === ReminderDelivered.type)
      .map(({ data }) => (data as { reminderId: number }).reminderId);
  };
  /** Starts all deliveries at once. The earlier ones may take longer to decide. */
  const deliverAll = (
    act: (delivery: OrderedDelivery, id: ScheduledId) => Promise<void>,
    order: readonly ScheduledId[] = ids,
  ) => {
    const deliveries: OrderedDelivery[] = [];
    for (const id of order)
      deliveries.push(new OrderedDelivery(deliveries.at(-1) ?? null, (delivery) => act(delivery, id)));
    return deliveries;
  };
  const run = (delivery: OrderedDelivery, decide: (work: Work) => Promise<boolean>) =>
    delivery.run(test.kernel.work, systemActor(REALM), decide);

  it('are decided at the same time and stored in their order', async () => {
    let deciding = 0;
    let most = 0;
    const deliveries = deliverAll((delivery, id) =>
      run(delivery, async (work) => {
        most = Math.max(most, ++deciding);
        await pause((COUNT - id) % 7);
        deciding--;
        return deliver(work, id);
      }),
    );
    await deliveries.at(-1)?.ended;
    expect(await deliveredIds()).toEqual(ids);
    expect(most).toBeGreaterThan(COUNT / 2);
  });

  it('keep their order on conflicts, and if some have nothing to do', async () => {
    const meddled = new Set([3, 4, 17]);
    const gone = new Set([8, 9, 30]);
    for (const id of gone) await test.kernel.work.run(systemActor(REALM), (work) => deliver(work, id as ScheduledId));
    const before = await deliveredIds();
    const deliveries = deliverAll((delivery, id) =>
      run(delivery, async (work) => {
        const decided = await deliver(work, id);
        // Depends on a state that changes before it is stored.
        if (meddled.delete(id)) {
          const rival = (COUNT - id + 1) as ScheduledId;
          await work.read(reminderAggregate, rival);
          await test.kernel.work.run(systemActor(REALM), (other) => deliver(other, rival));
        }
        return decided;
      }),
    );
    await deliveries.at(-1)?.ended;
    const rivals = [3, 4, 17].map((id) => COUNT - id + 1);
    const rest = (await deliveredIds()).slice(before.length).filter((id) => !rivals.includes(id));
    expect(rest).toEqual(ids.filter((id) => !gone.has(id) && !rivals.includes(id)));
    expect(new Set(await deliveredIds()).size).toBe(COUNT);
  });

  it('stop when one fails, and nothing after it is stored', async () => {
    const deliveries = deliverAll(async (delivery, id) => {
      if (id === 5) throw new Error('the database is away');
      await run(delivery, (work) => deliver(work, id));
    });
    await expect(deliveries.at(-1)?.ended).rejects.toThrow('the database is away');
    await Promise.allSettled(deliveries.map(({ ended }) => ended));
    expect(await deliveredIds()).toEqual([1, 2, 3, 4]);
  });

  it('continue after one that writes nothing', async () => {
    const deliveries = deliverAll(async (delivery, id) => {
      if (id % 3 !== 0) await run(delivery, (work) => deliver(work, id));
    });
    await deliveries.at(-1)?.ended;
    expect(await deliveredIds()).toEqual(ids.filter((id) => id % 3 !== 0));
  });
});
