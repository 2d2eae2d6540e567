import type { EventDescription } from '@annals/kernel';
import { describeEvent, wordsOf } from '@annals/kernel';
import { SinkEnded, SinkSet } from '../domain/sink/sink-events';

const ENGINES = { kafka: 'Kafka', nats: 'NATS', redis: 'Redis' } as const;

const set = describeEvent(SinkSet, {
  meaning: 'The events of a consumer of the log are stored in another system from then on.',
  commands: ['SetSink'],
  sentence: ({ data: { consumerId, kind } }) => [
    `chose that the events of consumer ${consumerId} are stored in ${ENGINES[kind]}`,
  ],
  changes: (event) => [
    { property: 'sink_kind', after: event.data.kind },
    { property: 'sink_servers', after: wordsOf(event, ({ servers }) => servers), isWords: true },
    { property: 'sink_stream', after: wordsOf(event, ({ stream }) => stream), isWords: true },
    { property: 'sink_subject_prefix', after: wordsOf(event, ({ subjectPrefix }) => subjectPrefix), isWords: true },
    { property: 'sink_credentials', after: wordsOf(event, ({ credentials }) => credentials), isWords: true },
  ],
});

const ended = describeEvent(SinkEnded, {
  meaning: 'The events of a consumer of the log are not stored in another system any more.',
  commands: ['EndSink'],
  sentence: ({ data }) => [`ended the sink of consumer ${data.consumerId}`],
  changes: () =>
    ['kind', 'servers', 'stream', 'subject_prefix', 'credentials'].map((part) => ({
      property: `sink_${part}`,
      after: null,
    })),
});

export const sinkDescriptions: readonly EventDescription[] = [set, ended];
