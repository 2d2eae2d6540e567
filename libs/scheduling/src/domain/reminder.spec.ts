import type { Instant, MessageId, UserId } from '@annals/kernel/domain';
import { given } from '../../../../test/support/events/recorded-events';
import type { ReminderEvent } from './events';
import type { Reminder } from './reminder';
import {
  deleteReminder,
  delivered,
  isReminderDue,
  noteOf,
  reminderAggregate,
  reminderFailed,
  setReminder,
} from './reminder';

const [ann, ben] = [1, 2] as [UserId, UserId];
const words = { content: 'You asked', note: 'read it' };
const [written, noted] = setReminder(ann, 9 as MessageId, 1_000 as Instant, words);
const after = (...events: readonly ReminderEvent[]) =>
  given<Reminder | null, ReminderEvent>(reminderAggregate, written, ...events);
const waiting = after() as Reminder;

describe('a reminder', () => {
  it('has the position of its first event as its id', () => {
    const rest = { userId: ann, messageId: 9, dueAt: 1_000, words, wordsAt: 1, noteAt: '+1' };
    expect(waiting).toEqual({ id: 1, ...rest, status: 'waiting' });
  });

  it('is due from its time on, until it is delivered', () => {
    expect(isReminderDue(waiting, 999 as Instant)).toBe(false);
    expect(isReminderDue(waiting, 1_000 as Instant)).toBe(true);
    for (const event of [
      ...delivered(waiting),
      ...reminderFailed(waiting, 'author'),
      ...deleteReminder(waiting, ann),
    ]) {
      expect(isReminderDue(after(event), 2_000 as Instant)).toBe(false);
    }
  });

  it('may be deleted by its owner until it was delivered', () => {
    expect(deleteReminder(waiting, ann)).toMatchObject([{ data: { reminderId: 1, userId: ann } }]);
    expect(deleteReminder(after(...reminderFailed(waiting, 'internal')), ann)).toHaveLength(1);
    const sent = after(...delivered(waiting));
    for (const [state, by] of [
      [waiting, ben],
      [null, ann],
      [sent, ann],
    ] as const) {
      expect(() => deleteReminder(state, by)).toThrow('Reminder does not exist');
    }
  });

  it('has no texts once they were erased', () => {
    const erased = { ...written, sealed: 'erased' } as unknown as typeof written;
    expect(given(reminderAggregate, erased)).toMatchObject({ words: null });
  });
});

describe('a note', () => {
  it('of a message is also an event of its own, so that it is not erased with the message', () => {
    expect(written.data).toMatchObject({ noteAt: '+1' });
    expect(noted).toMatchObject({ data: { reminderId: '-1' }, sealed: { note: 'read it' } });
    for (const [message, rest] of [
      [null, words],
      [9, { content: 'You asked' }],
    ] as const)
      expect(setReminder(ann, message as MessageId | null, 1_000 as Instant, rest)).toHaveLength(1);
  });

  it.each([
    ['\n\r\n  read it \n\t', '  read it'],
    ['x'.repeat(1_000), 'x'.repeat(1_000)],
    [`${'x'.repeat(1_000)}   \n`, 'x'.repeat(1_000)],
    ['😀'.repeat(1_000), '😀'.repeat(1_000)],
  ])('%# is trimmed', (raw, kept) => {
    expect(noteOf(raw, false)).toBe(kept);
  });

  it.each([[undefined], [''], [' \n ']])('%j is no note, which requires a message', (raw) => {
    expect(noteOf(raw, true)).toBeUndefined();
    expect(() => noteOf(raw, false)).toThrow('needs a message or a note');
  });

  it('has a maximum length', () => {
    expect(() => noteOf('x'.repeat(1_001), true)).toThrow('1000 characters');
  });
});
