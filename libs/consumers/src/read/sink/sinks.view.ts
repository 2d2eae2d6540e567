import { defineProjection, on } from '@annals/kernel';
import { ConsumerDeleted, ConsumerResumed } from '../../domain/events';
import { SinkEnded, SinkSet } from '../../domain/sink/sink-events';

/** In which other systems the server stores the events of consumers. */
export const sinksView = defineProjection({
  name: 'consumer_sinks',
  version: 1,
  lifecycle: 'inline',
  tables: {
    consumer_sinks: {
      columns: {
        consumer_id: 'int8',
        kind: 'text',
        /** Empty once they were erased, like what follows. */
        servers: 'text[]',
        stream: 'text',
        subject_prefix: 'text',
        /** Name of the credentials in the settings. Null without any. */
        credentials: 'text',
        /** Position of the event since which no earlier failure makes it wait: it was set, or the consumer was resumed. */
        fresh_since: 'int8',
      },
      key: ['consumer_id'],
      sealed: ['servers', 'stream', 'subject_prefix', 'credentials'],
    },
  },
  handlers: [
    on(SinkSet, ({ data: { consumerId, kind }, sealed, position }, rows) => {
      const erased = { servers: [], stream: '', subjectPrefix: '', credentials: null };
      const { servers, stream, subjectPrefix, credentials } = sealed === 'erased' ? erased : sealed;
      const target = { kind, servers, stream, subject_prefix: subjectPrefix, credentials };
      rows.upsert('consumer_sinks', { consumer_id: consumerId, ...target, fresh_since: position });
    }),
    on(ConsumerResumed, ({ data: { consumerId }, position }, rows) =>
      rows.update('consumer_sinks', { consumer_id: consumerId }, { fresh_since: position }),
    ),
    on(SinkEnded, ({ data: { consumerId } }, rows) => rows.delete('consumer_sinks', { consumer_id: consumerId })),
    on(ConsumerDeleted, ({ data: { consumerId } }, rows) => rows.delete('consumer_sinks', { consumer_id: consumerId })),
  ],
});
