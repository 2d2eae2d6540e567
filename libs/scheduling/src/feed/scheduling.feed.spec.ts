import type { PositionedClientEvent, Presenter, QueueProfile } from '@annals/kernel';
import type { ChannelId, Fact, Instant, MessageId, Position, RealmId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { recorded } from '../../../../test/support/events/recorded-events';
import type { ScheduledId } from '../domain/events';
import { ScheduledMessageFailed, ScheduledMessageSent, scheduledIdAt } from '../domain/events';
import { delivered, deleteReminder, reminderFailed, setReminder } from '../domain/reminder';
import type { Reminder } from '../domain/reminder';
import { change, deleteScheduled, schedule } from '../domain/scheduled-message';
import type { ScheduledMessage } from '../domain/scheduled-message';
import type { Planned } from '../read/scheduled-row';
import { remindersPresenter, scheduledMessagesPresenter, schedulingFeed } from './scheduling.feed';

const ann = 7 as UserId;
const AT = 9 as Position;
const plan = {
  target: { channelId: 3 as ChannelId },
  dueAt: 61_000 as Instant,
  readBySender: true,
  words: { content: 'secret *text*', topic: 'secret topic' },
};
const waiting = { id: scheduledIdAt(4 as Position), userId: ann, ...plan, wordsAt: 4 as Position, status: 'waiting' };
const message = waiting as unknown as ScheduledMessage;
const reminder = { ...waiting, messageId: 5 as MessageId, words: { content: 'secret note' } } as unknown as Reminder;
const only = <One>([one]: readonly One[]): One => one as One;
const messageFailed = (failure: 'refused' | 'late' | 'author' | 'internal') =>
  fact(ScheduledMessageFailed, { scheduledId: message.id, userId: ann, failure, wordsAt: 4 }, { reason: 'secret why' });
const sent = fact(ScheduledMessageSent, { scheduledId: message.id, userId: ann, messageId: 8 as MessageId });

const clientEvents = (happening: Fact) =>
  schedulingFeed.translations.get(happening.type)?.(recorded(happening, { position: AT }), null, []) ?? [];

describe('client events of scheduled messages', () => {
  it.each<[string, Fact, string, object]>([
    [
      'a message was scheduled',
      schedule(ann, plan),
      'scheduled_messages',
      { op: 'add', id: 9, wordsAt: 9, failed: false },
    ],
    [
      'it was changed',
      only(change(message, plan)),
      'scheduled_messages',
      { op: 'update', id: 4, wordsAt: 9, failed: false },
    ],
    ['it was deleted', only(deleteScheduled(message, ann)), 'scheduled_messages', { op: 'remove', id: 4 }],
    ['it was sent', sent, 'scheduled_messages', { op: 'remove', id: 4 }],
    [
      'it was refused',
      messageFailed('refused'),
      'scheduled_messages',
      { op: 'update', id: 4, wordsAt: 4, failed: true },
    ],
    ['it was late', messageFailed('late'), 'scheduled_messages', { op: 'update', id: 4, wordsAt: 4, failed: true }],
    [
      'the server erred',
      messageFailed('internal'),
      'scheduled_messages',
      { op: 'update', id: 4, wordsAt: 4, failed: true },
    ],
    [
      'a reminder was set',
      setReminder(ann, null, plan.dueAt, { content: 'secret' })[0],
      'reminders',
      { op: 'add', id: 9, wordsAt: 9, failed: false },
    ],
    ['a reminder was deleted', only(deleteReminder(reminder, ann)), 'reminders', { op: 'remove', id: 4 }],
    ['a reminder was delivered', only(delivered(reminder)), 'reminders', { op: 'remove', id: 4 }],
  ])('when %s, to its owner alone and without its texts', (_, happening, type, payload) => {
    expect(clientEvents(happening)).toEqual([{ type, audience: { kind: 'users', users: [ann] }, payload }]);
    expect(JSON.stringify(clientEvents(happening))).not.toContain('secret');
  });

  it.each<[string, Fact]>([
    ['a message whose author cannot act', messageFailed('author')],
    ['a reminder that failed', only(reminderFailed(reminder, 'internal'))],
  ])('none of %s', (_, happening) => {
    expect(clientEvents(happening)).toEqual([]);
  });
});

describe('the client objects', () => {
  const planned = (params: Partial<Planned>): Planned => ({
    position: AT,
    target: plan.target,
    messageId: null,
    userId: ann,
    dueAt: plan.dueAt,
    words: plan.words,
    ...params,
  });
  const capabilities = { empty_topic_name: false } as QueueProfile['capabilities'];
  /** The same for every client, whatever its capabilities are. */
  function read(presenter: Presenter, payload: object, one: Planned) {
    const event = { type: presenter.type, payload, position: AT, k: 0 } as unknown as PositionedClientEvent;
    const loaded = { planned: new Map([[AT, one]]), look: { realmId: 1 as RealmId, imagePreviews: false } } as never;
    const [plain, capable] = [false, true].map((empty_topic_name) => {
      const queue = { capabilities: { ...capabilities, empty_topic_name } } as QueueProfile;
      return [presenter.present(event, loaded, queue), presenter.variant?.(event, loaded, queue)];
    });
    expect(plain).toEqual(capable);
    return plain?.[0];
  }
  const id = 4 as ScheduledId;
  const record = {
    scheduled_message_id: 4,
    type: 'stream',
    to: 3,
    topic: 'secret topic',
    content: 'secret *text*',
    rendered_content: '<p>secret <em>text</em></p>',
    scheduled_delivery_timestamp: 61,
    failed: false,
  };
  const added = (one: Planned) => read(scheduledMessagesPresenter, { op: 'add', id, wordsAt: AT, failed: false }, one);
  const addedRecord = (params: object) => [
    { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ ...record, ...params }] },
  ];

  it.each<[string, Partial<Planned>, object]>([
    ['as it was written', {}, {}],
    [
      'with the empty topic as it is',
      { words: { content: 'x', topic: '' } },
      { topic: '', content: 'x', rendered_content: '<p>x</p>' },
    ],
    ['whose words were erased', { words: null }, { topic: '', content: '', rendered_content: '<p>(erased)</p>' }],
    ['at a fraction of a second', { dueAt: 61_999 as Instant }, { scheduled_delivery_timestamp: 61 }],
  ])('a message to a channel %s', (_, params, shown) => {
    expect(added(planned(params))).toEqual(addedRecord(shown));
  });

  it.each([
    [
      [2, 7, 9],
      [2, 9],
    ],
    [[7], [7]],
  ])('a direct message to %j, with the ids of the others', (userIds, to) => {
    const { topic: _, ...rest } = record;
    const direct = planned({ target: { userIds: userIds as UserId[] } });
    const [event] = added(direct) as { scheduled_messages: object[] }[];
    expect(event?.scheduled_messages).toEqual([{ ...rest, type: 'private', to }]);
  });

  it('a change and a failure as one whole record', () => {
    for (const failed of [false, true])
      expect(read(scheduledMessagesPresenter, { op: 'update', id, wordsAt: AT, failed }, planned({}))).toEqual([
        { type: 'scheduled_messages', op: 'update', scheduled_message: { ...record, failed } },
      ]);
  });

  it.each([null, 5 as MessageId])('a reminder of message %j', (messageId) => {
    const one = planned({ target: null, messageId, words: { content: '**read** it' } });
    const reminders = [
      {
        reminder_id: 4,
        type: 'private',
        to: [7],
        content: '**read** it',
        rendered_content: '<p><strong>read</strong> it</p>',
        scheduled_delivery_timestamp: 61,
        failed: false,
        reminder_target_message_id: messageId,
      },
    ];
    const payload = { op: 'add', id, wordsAt: AT, failed: false };
    expect(read(remindersPresenter, payload, one)).toEqual([{ type: 'reminders', op: 'add', reminders }]);
  });

  it('a finished one by its id', () => {
    const payload = { op: 'remove', id };
    expect(read(scheduledMessagesPresenter, payload, planned({}))).toEqual([
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: 4 },
    ]);
    expect(read(remindersPresenter, payload, planned({}))).toEqual([
      { type: 'reminders', op: 'remove', reminder_id: 4 },
    ]);
  });

  it('never without the event that has its text', () => {
    const payload = { op: 'add', id, wordsAt: 99, failed: false };
    for (const presenter of [scheduledMessagesPresenter, remindersPresenter])
      expect(() => read(presenter, payload, planned({}))).toThrow('there is no event at position 99');
  });
});
