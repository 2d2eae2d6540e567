import type { ChannelId, Instant, UserId } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import type { ScheduledId, ScheduledMessageEvent } from './events';
import { othersIn } from './people';
import type { DeliveryPlan, ScheduledMessage } from './scheduled-message';
import {
  change,
  changeableMessage,
  deleteScheduled,
  ensureFuture,
  failed,
  isDue,
  schedule,
  scheduledMessageAggregate,
  sent,
} from './scheduled-message';

const [ann, ben] = [1, 2] as [UserId, UserId];
const plan: DeliveryPlan = {
  target: { channelId: 7 as ChannelId },
  dueAt: 1_000 as Instant,
  readBySender: true,
  words: { content: 'later', topic: 'lunch' },
};
const written = schedule(ann, plan);
const after = (...events: readonly ScheduledMessageEvent[]) =>
  given<ScheduledMessage | null, ScheduledMessageEvent>(scheduledMessageAggregate, written, ...events);
const waiting = after() as ScheduledMessage;
const refused = (text: RegExp) =>
  expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(text) as string }) as Error;

describe('a scheduled message', () => {
  it('has the position of its first event as its id', () => {
    expect(waiting).toEqual({ id: 1, userId: ann, ...plan, wordsAt: 1, status: 'waiting' });
  });

  it('requires a time in the future', () => {
    expect(() => ensureFuture(1_000 as Instant, 999 as Instant)).not.toThrow();
    for (const now of [1_000, 1_001])
      expect(() => ensureFuture(1_000 as Instant, now as Instant)).toThrow(refused(/future/));
  });

  it('is due from its time on, until it is delivered', () => {
    expect(isDue(waiting, 999 as Instant)).toBe(false);
    expect(isDue(waiting, 1_000 as Instant)).toBe(true);
    for (const state of [
      after(...sent(waiting)),
      after(...failed(waiting, 'late', 'x')),
      after(...deleteScheduled(waiting, ann)),
      null,
    ]) {
      expect(isDue(state, 2_000 as Instant)).toBe(false);
    }
  });

  it('may be changed by its author, with a new time if it has failed', () => {
    const gone = after(...deleteScheduled(waiting, ann));
    for (const state of [null, gone])
      expect(() => changeableMessage(state, ann, true)).toThrow(refused(/does not exist/));
    expect(() => changeableMessage(waiting, ben, true)).toThrow(refused(/does not exist/));
    expect(() => changeableMessage(after(...sent(waiting)), ann, true)).toThrow(refused(/already sent/));
    const inError = after(...failed(waiting, 'refused', 'because'));
    expect(() => changeableMessage(inError, ann, false)).toThrow(refused(/new delivery time/));
    expect(changeableMessage(inError, ann, true)).toEqual(inError);
    expect(changeableMessage(waiting, ann, false)).toBe(waiting);
  });

  it('waits again with the changes, in any former state', () => {
    const other: DeliveryPlan = {
      ...plan,
      target: { userIds: [ann, ben] },
      dueAt: 5_000 as Instant,
      words: { content: 'else' },
    };
    const inError = after(...failed(waiting, 'refused', 'because')) as ScheduledMessage;
    const changed = after(...failed(waiting, 'refused', 'x'), ...change(inError, other));
    expect(changed).toEqual({ id: 1, userId: ann, ...other, wordsAt: 3, status: 'waiting' });
    expect(change(waiting, plan)).toHaveLength(1);
  });

  it('may be deleted once by its author, whether it waits, has failed or was sent', () => {
    for (const state of [waiting, after(...failed(waiting, 'late', 'x')), after(...sent(waiting))]) {
      expect(deleteScheduled(state, ann)).toMatchObject([{ data: { scheduledId: 1, userId: ann } }]);
    }
    for (const [state, by] of [
      [waiting, ben],
      [null, ann],
      [after(...sent(waiting), ...deleteScheduled(waiting, ann)), ann],
    ] as const) {
      expect(() => deleteScheduled(state, by)).toThrow(refused(/does not exist/));
    }
  });

  it('names its message, which is the event before', () => {
    expect(sent(waiting)).toMatchObject([{ data: { scheduledId: 1 as ScheduledId, userId: ann, messageId: '-1' } }]);
  });

  it('has the reason of a failure in the sealed part, and where its text is', () => {
    expect(failed(waiting, 'late', 'because')).toMatchObject([
      { data: { scheduledId: 1, userId: ann, failure: 'late', wordsAt: 1 }, sealed: { reason: 'because' } },
    ]);
  });

  it('has no texts once they were erased', () => {
    const erased = { ...written, sealed: 'erased' } as unknown as typeof written;
    expect(given(scheduledMessageAggregate, erased)).toMatchObject({ words: null, status: 'waiting' });
  });
});

it.each([
  [
    [1, 2, 3],
    [1, 3],
  ],
  [[2], [2]],
  [[1, 2], [1]],
])('of %j has the recipients %j', (all, others) => {
  expect(othersIn(all as UserId[], ben)).toEqual(others);
});
