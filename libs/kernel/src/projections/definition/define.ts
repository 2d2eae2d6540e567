import type { EventDefinition, FactOf, Recorded } from '../../domain/index';
import type { BitChange, BitsType } from './bits';
import { bitWidthOf } from './bits';
import type { TablePast } from './table-past';

/**
 * Column types a read model may have; `text[]` and `int8[]` are stored as PostgreSQL arrays, `jsonb` takes any JSON value,
 * `bit(4096)` is a bitmap that `setBits` and `clearBits` change, and `tsvector` takes a `SearchableText`.
 */
export type ColumnType =
  'int2' | 'int4' | 'int8' | 'bool' | 'text' | 'jsonb' | 'int8[]' | 'text[]' | 'tsvector' | BitsType;

/** A text for a column of type `tsvector`, which stores the stems of its words and their places. */
export type SearchableText = Readonly<Record<'configuration' | 'text', string>>;

/** A table of a read model. The kernel adds `realm_id` as the first column and `last_position` as the last. */
export interface TableDefinition {
  /** Columns without `realm_id` and `last_position`. All are nullable unless they are part of the key. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Primary key, without `realm_id`. */
  readonly key: readonly string[];
  /** Further indexes. The kernel puts `realm_id` first in each. */
  readonly indexes?: readonly TableIndex[];
  /** Columns with copies of texts or personal data of users. Nothing of them is left in the database after an erasure. */
  readonly sealed?: readonly string[];
  /** Whether rows are updated frequently (counters, settings). Pages of the table keep free space for that. */
  readonly changesOften?: boolean;
  /**
   * Whether rows are only inserted, each by the event that its key names. For background read models only, where a page
   * and its checkpoint are one transaction. An existing key is then an error instead of a repeated event, for half the
   * cost.
   */
  readonly addOnly?: boolean;
  /** How its rows at an earlier position are found. A table without this cannot be read in the past. */
  readonly past?: TablePast;
}

export interface TableIndex {
  /** Column names or expressions over them, without `realm_id`: `['topic_id', 'message_id']`, `['lower(name)']`. */
  readonly on: readonly string[];
  readonly unique?: boolean;
  /** `gin` for a column of type `tsvector`; a B-tree when left out. */
  readonly method?: 'gin';
  /** Condition of a partial index. */
  readonly where?: string;
}

export type Value = string | number | boolean | null | Buffer | readonly unknown[] | Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, Value>>;

/** Adds to a number column instead of setting it. A null column counts as 0. */
export class Increment {
  constructor(readonly by: number) {}
}
export const increment = (by: number): Increment => new Increment(by);

/** Raises a number column to this value unless it is higher. A null column is lower than any number. */
export class AtLeast {
  constructor(readonly value: number) {}
}
export const atLeast = (value: number): AtLeast => new AtLeast(value);

/** A change of a column: a value, or a function of the current value. */
export type ColumnChange = Value | Increment | AtLeast | BitChange;

/**
 * The changes that a handler may make to the tables of its projection. Order within a table is kept where it matters.
 */
export interface RowChanges {
  /** Inserts a row. An existing key (a repeated event) is not changed. */
  insert(table: string, row: Row): void;
  /** Inserts or updates a row. Columns that are not named keep their value. */
  upsert(table: string, row: Row): void;
  /** Updates all rows with these values (null matches null). */
  update(table: string, where: Row, set: Readonly<Record<string, ColumnChange>>): void;
  delete(table: string, where: Row): void;
}

/**
 * The changes that an event makes to the tables. Pure: it depends on the event only, and not on a table, a clock or a
 * setting.
 */
export type Handler<Event> = (event: Event, rows: RowChanges) => void;

interface HandlerEntry {
  readonly type: string;
  readonly handle: Handler<Recorded>;
}

/** Binds a handler to an event type. The compiler checks the event's shape. */
export function on<D extends EventDefinition>(definition: D, handle: Handler<Recorded<FactOf<D>>>): HandlerEntry {
  return { type: definition.type, handle: handle as unknown as Handler<Recorded> };
}

export interface Projection {
  readonly name: string;
  /** To be raised when a table or a handler changes: the worker then builds the new version beside the old one. */
  readonly version: number;
  /**
   * `inline` commits with its events, for reads that must show a write at once. `background` follows the log with a
   * checkpoint.
   */
  readonly lifecycle: 'inline' | 'background';
  readonly tables: Readonly<Record<string, TableDefinition>>;
  readonly handlers: ReadonlyMap<string, Handler<Recorded>>;
  /** The schema of its tables in a past. Left out: that of the live version. */
  readonly schema?: string;
}

/**
 * Declares a read model: its tables and the changes that each event makes. The same handler serves inline, catch-up and
 * rebuild.
 * @throws Error for an invalid declaration: unknown columns, reserved names, two handlers for one type
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
      throw new Error(`${declaration.name}.${name} is written inline, where an event may be applied twice`);
  }
  return { ...declaration, handlers };
}

/** Schemas are named `next_<projection>` and indexes `<table>_i<n>`. PostgreSQL truncates names after 63 bytes. */
function checkName(kind: string, name: string): void {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(name)) throw new Error(`${name} is no name for a ${kind}`);
}

function checkTable(at: string, name: string, table: TableDefinition): void {
  checkName('table', name);
  const columns = Object.keys(table.columns);
  for (const column of columns) {
    checkName('column', column);
    if (column === 'realm_id' || column === 'last_position') throw new Error(`${at} declares ${column} itself`);
    if ((bitWidthOf(table.columns[column] ?? '') ?? 0) % 8 > 0)
      throw new Error(`${at}.${column} is not made of whole bytes`);
  }
  if (table.key.length === 0) throw new Error(`${at} has no key`);
  for (const column of [...table.key, ...(table.sealed ?? [])])
    if (!columns.includes(column)) throw new Error(`${at} has no column ${column}`);
  // PostgreSQL collects statistics of the values of an expression.
  for (const column of table.sealed ?? [])
    for (const part of (table.indexes ?? []).flatMap((index) => index.on))
      if (part !== column && new RegExp(`\\b${column}\\b`).test(part))
        throw new Error(`${at} has an index over an expression with the sealed column ${column}`);
}
