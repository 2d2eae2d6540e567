import type { RealmId } from '../../domain/index';
import type { Projection } from '../definition/define';
import { defineProjection } from '../definition/define';
import type { Operation } from './asked';
import { doAsAsked } from './asked';

/** A background projection with one table, which runs the operations of its events. */
export const projection = (name: string, version = 1, handler = doAsAsked): Projection =>
  defineProjection({
    name,
    version,
    lifecycle: 'background',
    tables: { [name]: { columns: { id: 'int4', n: 'int4' }, key: ['id'] } },
    handlers: [handler],
  });

export const counts = projection('counts');
export const realm = (id: number) => id as RealmId;
/** Counts an event in row 1, so that a repeat or a loss shows. */
export const counted: readonly Operation[] = [
  { do: 'insert', table: 'counts', row: { id: 1, n: 0 } },
  { do: 'update', table: 'counts', where: { id: 1 }, add: { n: 1 } },
];
export const poison: readonly Operation[] = [{ do: 'throw', message: 'not like this' }];
export const overflow: readonly Operation[] = [
  { do: 'update', table: 'counts', where: { id: 1 }, add: { n: 2 ** 31 - 1 } },
];
export const times = (n: number, operations: readonly Operation[]) => Array.from({ length: n }, () => operations);
