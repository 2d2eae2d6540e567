import type { PropertyChange, EventDescription, SentencePart } from '@annals/kernel';
import { describeEvent, listed, quoted, thing, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type {
  MessageScheduled as Scheduled,
  ScheduledMessageChanged as Changed,
  Target,
  ScheduledText,
} from '../domain/events';
import {
  MessageScheduled,
  ScheduledMessageChanged,
  ScheduledMessageDeleted,
  ScheduledMessageFailed,
  ScheduledMessageSent,
} from '../domain/events';
import { FAILURE_TEXTS, timeOf } from './texts';

function destination(target: Target, sender: number): SentencePart[] {
  if ('channelId' in target) return [thing.channel(target.channelId)];
  const others = target.userIds.filter((id) => id !== sender);
  return others.length === 0 ? ['themselves'] : listed(others.map((id) => thing.user(id)));
}

/** The properties of a scheduled message. */
function propertiesOf(event: Recorded<Scheduled | Changed>): PropertyChange[] {
  const { target, dueAt } = event.data;
  const words = wordsOf<ScheduledText, ScheduledText>(event, (all) => all);
  return [
    { property: 'to', after: 'channelId' in target ? target.channelId : target.userIds },
    { property: 'scheduled_delivery_at', after: timeOf(dueAt) },
    { property: 'topic', after: words?.topic ?? null, isWords: true },
    { property: 'content', after: words?.content ?? null, isWords: true },
  ];
}

const scheduled = describeEvent(MessageScheduled, {
  meaning: 'A user scheduled a message.',
  commands: ['ScheduleMessage'],
  sentence: ({ position, data: { userId, target, dueAt } }) => [
    `scheduled a message (${position}) to `,
    ...destination(target, userId),
    ` for ${timeOf(dueAt)}`,
  ],
  begins: propertiesOf,
});

const changed = describeEvent(ScheduledMessageChanged, {
  meaning: 'A scheduled message has another text, destination or time. The event has all of them.',
  commands: ['ChangeScheduledMessage'],
  sentence: ({ data: { scheduledId, userId, target, dueAt } }) => [
    `changed scheduled message ${scheduledId} to `,
    ...destination(target, userId),
    ` for ${timeOf(dueAt)}`,
  ],
  changes: propertiesOf,
});

const deleted = describeEvent(ScheduledMessageDeleted, {
  meaning: 'A scheduled message was withdrawn.',
  commands: ['DeleteScheduledMessage'],
  sentence: ({ data }) => [`deleted scheduled message ${data.scheduledId}`],
});

const sent = describeEvent(ScheduledMessageSent, {
  meaning: 'A scheduled message was sent.',
  commands: ['Deliveries'],
  sentence: ({ actorId, data: { scheduledId, userId, messageId } }) => [
    `sent scheduled message ${scheduledId}`,
    ...(actorId === userId ? [] : [' of ', thing.user(userId)]),
    ' as ',
    thing.message(messageId),
  ],
});

const failed = describeEvent(ScheduledMessageFailed, {
  meaning: 'A scheduled message could not be sent and waits for its author.',
  commands: ['Deliveries'],
  sentence: (event) => {
    const { scheduledId, userId, failure } = event.data;
    return [
      `could not send scheduled message ${scheduledId} of `,
      thing.user(userId),
      `, because ${FAILURE_TEXTS[failure]}: `,
      quoted(
        wordsOf(event, ({ reason }) => reason),
        'a reason',
      ),
    ];
  },
});

export const scheduledMessageDescriptions: readonly EventDescription[] = [scheduled, changed, deleted, sent, failed];
