import type { EventDefinition, Position } from '../domain/index';
import type { Projection } from '../projections/define';
import { defineProjection, on } from '../projections/define';

/**
 * Which events are about a thing: a message, a user, a channel. Audit, the life of a message and erasure ask it. It is a
 * background read model, so that no append pays for it; what an event is about is declared with its type.
 */
export function subjectIndex(events: readonly EventDefinition[]): Projection {
  return defineProjection({
    name: 'subjects',
    version: 1,
    lifecycle: 'background',
    tables: {
      event_subjects: {
        columns: { kind: 'text', subject_id: 'int8', position: 'int8' },
        key: ['kind', 'subject_id', 'position'],
        addOnly: true,
      },
    },
    handlers: events.map((definition) =>
      on<EventDefinition<string, unknown, unknown>>(
        definition,
        ({ data, position }: { data: unknown; position: Position }, rows) => {
          for (const [kind, id] of definition.subjects(data, position)) {
            rows.insert('event_subjects', { kind, subject_id: id, position });
          }
        },
      ),
    ),
  });
}
