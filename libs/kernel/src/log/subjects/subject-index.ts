import type { EventDefinition, Recorded } from '../../domain/index';
import type { Erased } from '../../erasure/events';
import type { Projection } from '../../projections/definition/define';
import type { RowChanges } from '../../projections/definition/define';
import { defineProjection, on } from '../../projections/definition/define';

/** Positions that share a row of the index: a thing has a row for each block in which an event is about it. */
export const BLOCK = 1_024;

/** The block of a position: 0 has the positions from 1 to `BLOCK`. */
export const blockOf = (position: number): number => Math.floor((position - 1) / BLOCK);

/**
 * Where in the log events are about a thing: a message, a user, a channel. `eventsAbout` reads the blocks and finds the
 * events in them. It is a background read model, so that no append pays for it; what an event is about is declared with
 * its type. Beside it stands what is to be forgotten: `erasure_orders` lists it until it was done.
 */
export function subjectIndex(events: readonly EventDefinition[]): Projection {
  return defineProjection({
    name: 'subjects',
    version: 6,
    lifecycle: 'background',
    tables: {
      subject_blocks: {
        columns: { kind: 'text', subject_id: 'int8', block: 'int4' },
        key: ['kind', 'subject_id', 'block'],
      },
      erasure_orders: {
        /** Position of the event that orders it; the name of a stream, or the id of a subject. */
        columns: { position: 'int8', kind: 'text', name: 'text', ordered_at: 'int8' },
        key: ['position', 'kind', 'name'],
      },
    },
    handlers: events.map((definition) =>
      on<EventDefinition<string, unknown, unknown>>(definition, (event: Indexed, rows) => {
        index(definition, event, rows);
        if (isErased(event)) rows.delete('erasure_orders', { position: event.data.order });
      }),
    ),
  });
}

type Indexed = Pick<Recorded, 'type' | 'position' | 'at'> & { readonly data: unknown };

const isErased = (event: Indexed): event is Indexed & { readonly data: Erased['data'] } =>
  event.type === 'kernel.Erased';

function index(definition: EventDefinition, { data, position, at }: Indexed, rows: RowChanges): void {
  const block = blockOf(position);
  for (const [kind, id] of definition.subjects(data, position)) {
    // What begins with its event has its position as id: whoever has the id knows where to look.
    if (id !== position) rows.insert('subject_blocks', { kind, subject_id: id, block });
  }
  for (const [kind, name] of definition.erases(data)) {
    rows.insert('erasure_orders', { position, kind, name: String(name), ordered_at: at });
  }
}
