import { realmContext } from '@annals/realm';
import { defineContext } from '@annals/kernel';
import type { ChannelId, Instant, RealmId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { ProfileDeleted } from '@annals/users';
import type { TestKernel } from '../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../test/support/server/kernel';
import type { ScheduledId } from '../domain/events';
import {
  ReminderDeleted,
  ReminderDelivered,
  ReminderFailed,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
  ScheduledMessageFailed,
  ScheduledMessageSent,
} from '../domain/events';
import { setReminder } from '../domain/reminder';
import { schedule } from '../domain/scheduled-message';
import { schedulingContext } from '../scheduling.context';
import { DUE_REALMS, readDue, readScheduled } from './scheduled-row';

const [ann, ben] = [1, 2] as [UserId, UserId];
const id = (n: number) => n as ScheduledId;
const plan = (dueAt: number) => ({
  target: { channelId: 7 as ChannelId },
  dueAt: dueAt as Instant,
  readBySender: true,
  words: { content: 'later', topic: 'lunch' },
});

describe('the read model of scheduled messages', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel([
      realmContext,
      schedulingContext,
      defineContext({ name: 'users', events: [ProfileDeleted] }),
    ]);
    await test.state(
      ['scheduled-1', schedule(ann, plan(2_000))],
      ['reminder-2', setReminder(ann, null, 1_000 as Instant, { content: 'x' })[0]],
      ['scheduled-3', schedule(ann, plan(1_000))],
      ['scheduled-4', schedule(ben, plan(3_000))],
    );
  });
  afterEach(() => test.close());

  const due = async (now: number, except: number[] = [], realm = REALM) =>
    (await readDue(test.kernel.database.pool, realm, now as Instant, 10, except.map(id))).map((row) => row.id);
  const own = async (user: UserId, isReminder: boolean) =>
    (await readScheduled(test.kernel.database.pool, REALM, user, isReminder)).map((row) => [row.id, row.failed]);

  it('returns due rows in the order of times and ids, of both kinds', async () => {
    expect(await due(999)).toEqual([]);
    expect(await due(2_999)).toEqual([2, 3, 1]);
    expect(await due(2_999, [3])).toEqual([2, 1]);
    expect(await due(9_999, [], 2 as RealmId)).toEqual([]);
    const dueRealms = (now: number) => {
      test.clock.set(now as Instant);
      return test.kernel.due.find(DUE_REALMS);
    };
    expect(await dueRealms(999)).toEqual([]);
    expect(await dueRealms(1_000)).toEqual([REALM]);
  });

  it('lists rows of a user, of one kind, without texts', async () => {
    expect(await own(ann, false)).toEqual([
      [3, false],
      [1, false],
    ]);
    expect(await own(ann, true)).toEqual([[2, false]]);
    expect(await own(ben, false)).toEqual([[4, false]]);
    expect(JSON.stringify(await test.rows('scheduled', 'scheduled_id'))).not.toMatch(/later|lunch/);
  });

  it('keeps failed rows, which are not due until they are changed', async () => {
    const failure = { failure: 'late' as const };
    await test.state(
      [
        'scheduled-3',
        fact(ScheduledMessageFailed, { scheduledId: id(3), userId: ann, ...failure, wordsAt: 3 }, { reason: 'x' }),
      ],
      ['reminder-2', fact(ReminderFailed, { reminderId: id(2), userId: ann, ...failure })],
    );
    expect(await due(9_999)).toEqual([1, 4]);
    expect(await own(ann, false)).toEqual([
      [3, true],
      [1, false],
    ]);
    expect(await own(ann, true)).toEqual([[2, true]]);
    const { words, ...data } = plan(5_000);
    await test.state([
      'scheduled-3',
      fact(ScheduledMessageChanged, { scheduledId: id(3), userId: ann, ...data }, words),
    ]);
    expect(await due(9_999)).toEqual([1, 4, 3]);
    expect(await test.rows('scheduled', 'scheduled_id')).toMatchObject([
      {},
      {},
      { words_at: 7, due_at: 5_000, has_failed: false },
      {},
    ]);
  });

  it('deletes the rows of a user with their profile', async () => {
    await test.state([`user-${ann}`, fact(ProfileDeleted, { userId: ann })]);
    expect(await due(9_999)).toEqual([4]);
  });

  it('deletes sent, delivered and deleted rows', async () => {
    const sent = fact(ScheduledMessageSent, { scheduledId: id(1), userId: ann, messageId: 1 as never });
    await test.state(
      ['scheduled-1', sent],
      ['reminder-2', fact(ReminderDelivered, { reminderId: id(2), userId: ann, deliveredAs: 1 as never })],
      ['scheduled-3', fact(ScheduledMessageDeleted, { scheduledId: id(3), userId: ann })],
      ['reminder-9', setReminder(ben, null, 1 as Instant, { content: 'x' })[0]],
      ['reminder-9', fact(ReminderDeleted, { reminderId: id(8), userId: ben })],
    );
    expect(await due(9_999)).toEqual([4]);
  });
});
