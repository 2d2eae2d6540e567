import type { Recorded } from '../../domain/index';
import type { Handler, Projection, RowChanges, TableDefinition } from '../definition/define';
import { defineProjection } from '../definition/define';
import type { Operation } from './asked';
import { Asked } from './asked';

interface Versioned {
  readonly version: number;
  readonly lifecycle?: 'inline' | 'background';
  readonly name?: string;
}

const operationsOf = (event: Recorded) => event.data as readonly Operation[];

/** Notes by id, from their events. From version 2 on they have the position of the event, and an index over it. */
export function notes({ version, lifecycle = 'inline', name = 'notes' }: Versioned): Projection {
  const table: TableDefinition = {
    columns: { id: 'int4', text: 'text', n: 'int4', ...(version > 1 ? { came: 'int8' } : {}) },
    key: ['id'],
    ...(version > 1 ? { indexes: [{ on: ['came'] }] } : {}),
  };
  const handle: Handler<Recorded> = (event, rows: RowChanges) => {
    for (const operation of operationsOf(event)) {
      if (operation.do === 'throw' && version > 1) throw new Error(operation.message);
      if (operation.do === 'insert')
        rows.insert(name, version > 1 ? { ...operation.row, came: event.position } : operation.row);
      if (operation.do === 'update') rows.update(name, operation.where, { n: event.position });
      // Changes no value, only the position at which the row was last written.
      if (operation.do === 'delete' && version > 1) rows.update(name, operation.where, {});
    }
  };
  return defineProjection({
    name,
    version,
    lifecycle,
    tables: { [name]: table },
    handlers: [{ type: Asked.type, handle }],
  });
}

export const v1 = notes({ version: 1 });
export const v2 = notes({ version: 2 });
export const note = (id: number, text = `note ${id}`): readonly Operation[] => [
  { do: 'insert', table: 'notes', row: { id, text } },
];
export const touch = (id: number): readonly Operation[] => [{ do: 'update', table: 'notes', where: { id } }];
/** Ignored by version 1. */
export const revisit = (id: number): readonly Operation[] => [{ do: 'delete', table: 'notes', where: { id } }];
export const manyNotes = (from: number, count: number) => Array.from({ length: count }, (_, i) => note(from + i));

export const withoutThrow =
  ({ handlers }: Projection): Handler<Recorded> =>
  (event, rows) => {
    if (operationsOf(event).every((one) => one.do !== 'throw')) handlers.get(Asked.type)?.(event, rows);
  };
