import { defineProjection, on } from '@annals/kernel';
import {
  ConsumerChanged,
  ConsumerCreated,
  ConsumerDeleted,
  ConsumerPaused,
  ConsumerResumed,
  ConsumerRewound,
  consumerIdAt,
} from '../domain/events';

/** The consumers that exist. How far each of them is, is beside the log (`libs/consumers/src/schema.ts`). */
export const consumersView = defineProjection({
  name: 'consumers',
  version: 1,
  lifecycle: 'inline',
  tables: {
    consumers: {
      columns: {
        consumer_id: 'int8',
        owner_id: 'int8',
        /** Null once it was erased. */
        name: 'text',
        consumer_view: 'text',
        /** Null for no condition, like subjects. */
        types: 'text[]',
        subjects: 'text[]',
        words: 'bool',
        is_paused: 'bool',
        /** Position of the event with which it began to read, or began again: its creation or its last rewinding. */
        began: 'int8',
        /** The position after which it reads since then. */
        reads_after: 'int8',
        /** Milliseconds. */
        created_at: 'int8',
      },
      key: ['consumer_id'],
      indexes: [{ on: ['name'] }],
      sealed: ['name'],
    },
  },
  handlers: [
    on(ConsumerCreated, ({ data, sealed, position, at }, rows) => {
      rows.insert('consumers', {
        consumer_id: consumerIdAt(position),
        owner_id: data.ownerId,
        name: sealed === 'erased' ? null : sealed.name,
        consumer_view: data.view,
        types: data.types,
        subjects: data.subjects,
        words: data.words,
        is_paused: false,
        began: position,
        reads_after: data.from,
        created_at: at,
      });
    }),
    on(ConsumerChanged, ({ data: { consumerId, types, subjects, words } }, rows) =>
      rows.update('consumers', { consumer_id: consumerId }, { types, subjects, words }),
    ),
    on(ConsumerPaused, ({ data: { consumerId } }, rows) =>
      rows.update('consumers', { consumer_id: consumerId }, { is_paused: true }),
    ),
    on(ConsumerResumed, ({ data: { consumerId } }, rows) =>
      rows.update('consumers', { consumer_id: consumerId }, { is_paused: false }),
    ),
    on(ConsumerRewound, ({ data: { consumerId, to }, position }, rows) =>
      rows.update('consumers', { consumer_id: consumerId }, { began: position, reads_after: to }),
    ),
    on(ConsumerDeleted, ({ data: { consumerId } }, rows) => rows.delete('consumers', { consumer_id: consumerId })),
  ],
});
