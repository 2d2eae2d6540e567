import type { EventDefinition, FactOf, Recorded } from '../../domain/index';

/** Column types a read model may have; `text[]` and `int8[]` are stored as PostgreSQL arrays, `jsonb` takes any JSON value. */
export type ColumnType = 'int2' | 'int4' | 'int8' | 'bool' | 'text' | 'jsonb' | 'int8[]' | 'text[]';

/** One table of a read model. The kernel adds `realm_id` in front of everything and `last_position` at the end. */
export interface TableDefinition {
  /** Columns without `realm_id` and `last_position`; all may be null unless they are part of the key. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Primary key, without `realm_id`. */
  readonly key: readonly string[];
  /** Further indexes, each led by `realm_id` by the kernel. */
  readonly indexes?: readonly TableIndex[];
  /** Columns that copy what people wrote or are; erasure visits them. */
  readonly sealed?: readonly string[];
  /** Rows are updated again and again (counters, settings): leaves room for that in the pages. */
  readonly changesOften?: boolean;
  /**
   * Rows are only ever inserted, each by the event that its key names; background only, where a page and its checkpoint
   * are one transaction. A key that is there already is then an error and no repeated event, for half the cost.
   */
  readonly addOnly?: boolean;
}

export interface TableIndex {
  /** Column names or expressions over them, without `realm_id`: `['topic_id', 'message_id']`, `['lower(name)']`. */
  readonly on: readonly string[];
  readonly unique?: boolean;
  /** Condition of a partial index. */
  readonly where?: string;
}

export type Value = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, Value>>;

/** Adds to a number column instead of setting it; counts from 0 where the column is null. */
export class Increment {
  constructor(readonly by: number) {}
}
export const increment = (by: number): Increment => new Increment(by);

/** Raises a number column to this unless it is higher already; null is lower than any number. */
export class AtLeast {
  constructor(readonly value: number) {}
}
export const atLeast = (value: number): AtLeast => new AtLeast(value);

/** What a row's column may be changed to: a value, or a function of the one it has. */
export type Setting = Value | Increment | AtLeast;

/** What a handler may do to the tables of its projection. Order within a table is kept where it matters. */
export interface RowChanges {
  /** A new row; does nothing when the key is there already (a repeated event). */
  insert(table: string, row: Row): void;
  /** The row as given, whether its key was there or not; columns that are not named keep their value. */
  upsert(table: string, row: Row): void;
  /** Changes all rows whose columns equal `where` (null matches null). */
  update(table: string, where: Row, set: Readonly<Record<string, Setting>>): void;
  delete(table: string, where: Row): void;
}

/** Pure: what one event does to the tables. It sees the event only, never a table, a clock or a setting. */
export type Handler<Event> = (event: Event, rows: RowChanges) => void;

interface HandlerEntry {
  readonly type: string;
  readonly handle: Handler<Recorded>;
}

/** Binds a handler to an event type, with the compiler checking the event's shape. */
export function on<D extends EventDefinition>(definition: D, handle: Handler<Recorded<FactOf<D>>>): HandlerEntry {
  return { type: definition.type, handle: handle as unknown as Handler<Recorded> };
}

export interface Projection {
  readonly name: string;
  /** Raise it when a table or a handler changes: the worker then builds the new one beside the old. */
  readonly version: number;
  /** `inline` commits with its events (what a read after a write must show); `background` follows from a checkpoint. */
  readonly lifecycle: 'inline' | 'background';
  readonly tables: Readonly<Record<string, TableDefinition>>;
  readonly handlers: ReadonlyMap<string, Handler<Recorded>>;
}

/**
 * Declares a read model: its tables and what each event does to them. One handler serves inline, catch-up and rebuild.
 * @throws Error for a declaration that cannot work: unknown columns, reserved names, two handlers for one type
 */
export function defineProjection(
  declaration: Omit<Projection, 'handlers'> & { handlers: readonly HandlerEntry[] },
): Projection {
  const handlers = new Map<string, Handler<Recorded>>();
  for (const { type, handle } of declaration.handlers) {
    if (handlers.has(type)) throw new Error(`projection ${declaration.name} handles ${type} twice`);
    handlers.set(type, handle);
  }
  checkName('projection', declaration.name);
  for (const [name, table] of Object.entries(declaration.tables)) {
    checkTable(`${declaration.name}.${name}`, name, table);
    if (table.addOnly && declaration.lifecycle !== 'background')
      throw new Error(`${declaration.name}.${name} is written inline, where an event may come twice`);
  }
  return { ...declaration, handlers };
}

/** Schemas are named `next_<projection>`, indexes `<table>_i<n>`; PostgreSQL cuts names at 63 bytes. */
function checkName(kind: string, name: string): void {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(name)) throw new Error(`${name} is no name for a ${kind}`);
}

function checkTable(at: string, name: string, table: TableDefinition): void {
  checkName('table', name);
  const columns = Object.keys(table.columns);
  for (const column of columns) {
    checkName('column', column);
    if (column === 'realm_id' || column === 'last_position') throw new Error(`${at} declares ${column} itself`);
  }
  if (table.key.length === 0) throw new Error(`${at} has no key`);
  for (const column of [...table.key, ...(table.sealed ?? [])])
    if (!columns.includes(column)) throw new Error(`${at} has no column ${column}`);
}
