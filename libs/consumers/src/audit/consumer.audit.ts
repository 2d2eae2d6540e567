import type { EventDescription, PropertyChange } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { Selection } from '../domain/consumer';
import type { ConsumerCreated as Created } from '../domain/events';
import {
  ConsumerChanged,
  ConsumerCreated,
  ConsumerDeleted,
  ConsumerPaused,
  ConsumerResumed,
  ConsumerRewound,
} from '../domain/events';

const nameOf = (event: Recorded<Created>) => wordsOf<{ name: string }, string>(event, ({ name }) => name);

const wanted = ({ types, subjects, words }: Selection): PropertyChange[] => [
  { property: 'types', after: types },
  { property: 'subjects', after: subjects },
  { property: 'words', after: words },
];

/** The number by which later sentences name it. */
const numbered = (consumerId: number): string => `consumer ${consumerId}`;

const created = describeEvent(ConsumerCreated, {
  meaning: 'A program may follow the log under a name.',
  commands: ['CreateConsumer'],
  sentence: (event) => {
    const { view, from } = event.data;
    const events = view === 'client' ? 'client events' : 'events of the log';
    return ['created the consumer ', quoted(nameOf(event), 'with a name'), ` of ${events} after position ${from}`];
  },
  begins: (event) => [
    { property: 'name', after: nameOf(event) },
    { property: 'view', after: event.data.view },
    ...wanted(event.data),
    { property: 'paused', after: false },
  ],
});

const changed = describeEvent(ConsumerChanged, {
  meaning: 'A consumer of the log wants other events from now on.',
  commands: ['ChangeConsumer'],
  sentence: ({ data }) => [`changed which events ${numbered(data.consumerId)} gets`],
  changes: ({ data }) => wanted(data),
});

const paused = describeEvent(ConsumerPaused, {
  meaning: 'Nothing is offered to a consumer of the log until it is resumed.',
  commands: ['ChangeConsumer', 'WebhookNotices'],
  sentence: ({ data }) => [`paused ${numbered(data.consumerId)}`],
  changes: () => [{ property: 'paused', after: true }],
});

const resumed = describeEvent(ConsumerResumed, {
  meaning: 'A paused consumer of the log continues where it was.',
  commands: ['ChangeConsumer'],
  sentence: ({ data }) => [`resumed ${numbered(data.consumerId)}`],
  changes: () => [{ property: 'paused', after: false }],
});

const rewound = describeEvent(ConsumerRewound, {
  meaning: 'A consumer of the log continues after another position.',
  commands: ['RewindConsumer'],
  sentence: ({ data }) => [`made ${numbered(data.consumerId)} continue after position ${data.to}`],
});

const deleted = describeEvent(ConsumerDeleted, {
  meaning: 'A consumer of the log was deleted. Its name is free again.',
  commands: ['DeleteConsumer'],
  sentence: ({ data }) => [`deleted ${numbered(data.consumerId)}`],
});

export const consumerDescriptions: readonly EventDescription[] = [created, changed, paused, resumed, rewound, deleted];
