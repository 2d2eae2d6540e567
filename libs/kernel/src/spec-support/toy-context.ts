import type { FactOf, Recorded } from '../domain/index';
import type { Guard } from '../log/append/append';
import { count, defineAggregate, defineEvent, fact, rejection, t } from '../domain/index';
import { defineContext } from '../contexts/define-context';
import { defineProjection, on } from '../projections/definition/define';

/** The smallest context, for specs of the kernel: counters that are raised, and notes with a unique name. */
export const Raised = defineEvent('toy.Raised', {
  data: t.Object({ counter: t.Integer({ minimum: 1 }), by: t.Integer() }),
  subjects: ({ counter }) => [['counter', counter]],
});
export type Raised = FactOf<typeof Raised>;

export const Noted = defineEvent('toy.Noted', {
  data: t.Object({ length: count, about: t.Union([t.Integer({ minimum: 1 }), t.Null()]) }),
  sealed: t.Object({ text: t.String() }),
  subjects: (_, position) => [['note', position]],
  references: ['about'],
});
export type Noted = FactOf<typeof Noted>;

const tooHigh = rejection('BAD_REQUEST', 'The counter is high enough');

export const counter = defineAggregate<number, Raised, number>('counter', 0, (sum, event) => sum + event.data.by);

/** Raises a counter, at most to a limit. */
export function raise(id: number, by: number, limit = Infinity): (sum: number) => Raised[] {
  return (sum) => {
    if (sum + by > limit) throw tooHigh();
    return [fact(Raised, { counter: id, by })];
  };
}

export const note = (text: string, about: number | null = null): Noted =>
  fact(Noted, { length: text.length, about }, { text });

/** Fails while a note of this length exists. */
export const lengthUnused: Guard = {
  name: 'toy-length-unused',
  failing: `SELECT u.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.toy_notes n WHERE n.realm_id = u.realm_id AND n.length = u.key::int4)`,
};

/**
 * There are no more notes of a length than a command counted. The key is `length:count`. An append with a note declares
 * its length.
 */
export const noMoreOfLength: Guard = {
  name: 'toy-no-more-of-length',
  failing: `SELECT u.ord::int4 AS ord FROM unnest($1::int4[], $2::text[]) WITH ORDINALITY AS u(realm_id, key, ord)
    WHERE EXISTS (SELECT FROM view.toy_notes n WHERE n.realm_id = u.realm_id
      AND n.length = split_part(u.key, ':', 1)::int4 OFFSET split_part(u.key, ':', 2)::int4)`,
  concerns: (key) => key.slice(0, key.indexOf(':')),
};

const toyNotes = defineProjection({
  name: 'toy_notes',
  version: 1,
  lifecycle: 'inline',
  tables: {
    toy_notes: {
      columns: { note_id: 'int8', length: 'int4', about: 'int8', text: 'text' },
      key: ['note_id'],
      indexes: [{ on: ['length'] }],
      sealed: ['text'],
    },
  },
  handlers: [
    on(Noted, ({ position, data, sealed }: Recorded<Noted>, rows) =>
      rows.insert('toy_notes', {
        note_id: position,
        length: data.length,
        about: data.about,
        text: sealed === 'erased' ? null : sealed.text,
      }),
    ),
  ],
});

export const toyContext = defineContext({
  name: 'toy',
  events: [Raised, Noted],
  guards: [lengthUnused, noMoreOfLength],
  projections: [toyNotes],
  unhandled: { 'toy.Raised': 'the sum is asked of the aggregate' },
});
