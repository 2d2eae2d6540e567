import { createHash } from 'node:crypto';
import type { Recorded } from '../../domain/index';
import { grouped } from '../../domain/index';
import { binaryArray } from './binary-arrays';
import type { Element, ElementType } from './binary-arrays';
import { AtLeast, Increment } from '../definition/define';
import type { ColumnType, Projection, Setting, TableDefinition, Value } from '../definition/define';
import { collectChanges } from './row-changes';
import type { TableChanges } from './row-changes';
import type { Settings } from './row-values';
import type { RowChange } from './segments';
import { liveSchema, quoted, tableName } from '../definition/tables';

/** A query for node-pg, prepared once per connection: the name stands for the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: Buffer[];
}

/**
 * Goes before the statements in their transaction, or into the options of a connection of theirs: they find rows by
 * index, also where the planner still takes a table for small and keeps that plan while it grows. A scan that is left
 * counts as so dear then that it would be compiled.
 */
export const BY_INDEX_SQL = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off';

/**
 * What events do to the tables of a projection, as a few set-based statements per table, to be run in this order and in
 * one transaction. Each is conditioned on `last_position`, so that repeating old events changes nothing.
 * @param events in log order within each realm; realms may be mixed
 * @param schema where the tables are, if not where the live ones of this version are
 * @throws ProjectionFailed when a handler throws
 */
export function statementsFor(
  projection: Projection,
  events: readonly Recorded[],
  schema = liveSchema(projection),
): Statement[] {
  return [...statementPieces(projection, events, schema)].flat();
}

/**
 * The same in pieces, each made when it is taken: what the handlers ask for, then the statements of each table. What does
 * nothing has none.
 */
export function* statementPieces(
  projection: Projection,
  events: readonly Recorded[],
  schema = liveSchema(projection),
): Generator<Statement[], void> {
  const changes = collectChanges(projection, events);
  if (changes.size > 0) yield [];
  for (const [table, definition] of Object.entries(projection.tables)) {
    const changed = changes.get(table);
    if (changed !== undefined) yield new TableSql(tableName(schema, table), definition).statements(changed);
  }
}

/** One array parameter of a statement, a column of `u` in its text. */
interface Source {
  readonly alias: string;
  readonly type: ColumnType;
  readonly of: (row: RowChange) => Value;
}

const REALM: Source = { alias: 'realm_id', type: 'int4', of: (row) => row.realmId };
const EXISTING_POSITION: Source = {
  alias: 'last_position',
  type: 'int8',
  of: (row) => row.existing?.position ?? 0,
};
const CREATED_POSITION: Source = { alias: 'last_position', type: 'int8', of: (row) => row.created?.position ?? 0 };

class TableSql {
  private readonly columns: readonly string[];

  constructor(
    private readonly target: string,
    private readonly definition: TableDefinition,
  ) {
    this.columns = Object.keys(definition.columns);
  }

  /** Segments one after the other; those of different realms meet in the same statements. */
  statements(changes: TableChanges): Statement[] {
    const statements: Statement[] = [];
    for (let level = 0; ; level += 1) {
      const segments = [...changes.values()].flatMap((ofRealm) => ofRealm[level] ?? []);
      if (segments.length === 0) return statements;
      for (const group of grouped(segments, ({ by }) => by.join()).values()) {
        const rows = group.flatMap((segment) => segment.rows).sort(inKeyOrder);
        statements.push(...this.segment(group[0]?.by ?? [], rows));
      }
    }
  }

  private segment(by: readonly string[], rows: readonly RowChange[]): Statement[] {
    const gone = rows.filter((row) => row.existing?.kind === 'gone');
    const created = rows.filter((row) => row.created !== null);
    const set = rows.filter((row) => row.existing?.kind === 'set' && !mergesIntoInsert(row));
    return [
      ...[...grouped(gone, nulls).values()].map((group) => this.delete(by, group)),
      ...[...grouped(set, (row) => nulls(row) + this.assigned(row)).values()].map((group) => this.update(by, group)),
      ...[...grouped(created, (row) => (mergesIntoInsert(row) ? this.assigned(row) : '')).values()].map((group) =>
        this.insert(group),
      ),
    ];
  }

  private delete(by: readonly string[], rows: readonly RowChange[]): Statement {
    const sources = [REALM, ...this.matchSources(by, rows), EXISTING_POSITION];
    return statement(`DELETE FROM ${this.target} AS t USING ${unnest(sources)} ${this.found(by, rows)}`, sources, rows);
  }

  private update(by: readonly string[], rows: readonly RowChange[]): Statement {
    const set = settingsOf(rows[0]);
    const names = this.columns.filter((column) => column in set);
    const values = names.map((column, i) => this.source(`s${i}`, column, (row) => plain(settingsOf(row)[column])));
    const sources = [REALM, ...this.matchSources(by, rows), ...values, EXISTING_POSITION];
    const assignments = names.map((column, i) => this.assignment(column, set[column], this.read(`u.s${i}`, column)));
    return statement(
      `UPDATE ${this.target} AS t SET ${[...assignments, 'last_position = u.last_position'].join(', ')} ` +
        `FROM ${unnest(sources)} ${this.found(by, rows)}`,
      sources,
      rows,
    );
  }

  private insert(rows: readonly RowChange[]): Statement {
    const values = this.columns.map((column, i) =>
      this.source(`c${i}`, column, (row) => row.created?.values[column] ?? null),
    );
    const sources = [REALM, ...values, CREATED_POSITION];
    const read = this.columns.map((column, i) => this.read(`u.c${i}`, column));
    return statement(
      `INSERT INTO ${this.target} AS t (realm_id, ${this.columns.map(quoted).join(', ')}, last_position) ` +
        `SELECT u.realm_id, ${read.join(', ')}, u.last_position FROM ${unnest(sources)}${this.onConflict(rows[0])}`,
      sources,
      rows,
    );
  }

  private onConflict(row: RowChange | undefined): string {
    if (this.definition.addOnly) return '';
    const key = ['realm_id', ...this.definition.key.map(quoted)].join(', ');
    if (row === undefined || !mergesIntoInsert(row)) return ` ON CONFLICT (${key}) DO NOTHING`;
    const set = settingsOf(row);
    const assignments = this.columns
      .filter((column) => column in set)
      .map((column) => this.assignment(column, set[column], `excluded.${quoted(column)}`));
    return (
      ` ON CONFLICT (${key}) DO UPDATE SET ${[...assignments, 'last_position = excluded.last_position'].join(', ')} ` +
      'WHERE t.last_position <= excluded.last_position'
    );
  }

  private assignment(column: string, value: Setting | undefined, from: string): string {
    const name = quoted(column);
    if (value instanceof Increment) return `${name} = coalesce(t.${name}, 0) + ${from}`;
    return value instanceof AtLeast ? `${name} = greatest(t.${name}, ${from})` : `${name} = ${from}`;
  }

  /** Names the columns a row sets and how: rows that agree share a statement. */
  private assigned(row: RowChange): string {
    const set = settingsOf(row);
    const named = this.columns.filter((column) => column in set);
    return ['set', ...named.map((column) => `${column}${manner(set[column])}`)].join();
  }

  private matchSources(by: readonly string[], rows: readonly RowChange[]): Source[] {
    return by.flatMap((column, i) =>
      rows[0]?.match[i] === null ? [] : [this.source(`k${i}`, column, (row) => row.match[i] ?? null)],
    );
  }

  /**
   * Finds the rows one by one through an index; `=` throughout, and null matches null. A plain join would become a
   * hash join over a scan of the whole table when its generic plan is made while the table is small (trap 7).
   */
  private found(by: readonly string[], rows: readonly RowChange[]): string {
    const conditions = by.map((column, i) =>
      rows[0]?.match[i] === null ? `r.${quoted(column)} IS NULL` : `r.${quoted(column)} = u.k${i}`,
    );
    const condition = ['r.realm_id = u.realm_id', ...conditions, 'r.last_position <= u.last_position'].join(' AND ');
    const rowsFound = `SELECT r.ctid AS at FROM ${this.target} AS r WHERE ${condition} OFFSET 0`;
    return `CROSS JOIN LATERAL (${rowsFound}) AS f WHERE t.ctid = f.at`;
  }

  private source(alias: string, column: string, of: (row: RowChange) => Value): Source {
    return { alias, type: this.definition.columns[column] ?? 'text', of };
  }

  /** Arrays of arrays do not unnest into arrays: such values travel as literals. */
  private read(expression: string, column: string): string {
    const type = this.definition.columns[column];
    return type === 'int8[]' || type === 'text[]' ? `${expression}::${type}` : expression;
  }
}

const settingsOf = (row: RowChange | undefined): Settings => (row?.existing?.kind === 'set' ? row.existing.values : {});
function plain(value: Setting | undefined): Value {
  if (value instanceof Increment) return value.by;
  return value instanceof AtLeast ? value.value : (value ?? null);
}

/** Rows whose columns are set in different manners need different statements. */
function manner(value: Setting | undefined): string {
  if (value instanceof Increment) return '+';
  return value instanceof AtLeast ? '>' : '';
}

const nulls = (row: RowChange): string => row.match.map((value) => (value === null ? '0' : '1')).join('');

/** Whether one INSERT .. ON CONFLICT DO UPDATE says it all: what it would set is what it would insert. */
function mergesIntoInsert({ created, existing }: RowChange): boolean {
  if (created === null || existing?.kind !== 'set' || created.position !== existing.position) return false;
  const { values } = existing;
  return Object.keys(values).every((column) => created.values[column] === plain(values[column]));
}

/** The same order everywhere: two transactions never wait for each other's rows. */
function inKeyOrder(a: RowChange, b: RowChange): number {
  if (a.realmId !== b.realmId) return a.realmId - b.realmId;
  for (let i = 0; i < a.match.length; i += 1) {
    const left = a.match[i] ?? null;
    const right = b.match[i] ?? null;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}

/** One unnest of several arrays runs them side by side: nothing has to be joined, whatever the plan (trap 7). */
function unnest(sources: readonly Source[]): string {
  const arrays = sources.map(({ type }, i) => `$${i + 1}::${elementType(type)}[]`);
  return `unnest(${arrays.join(', ')}) AS u(${sources.map(({ alias }) => alias).join(', ')})`;
}

function statement(text: string, sources: readonly Source[], rows: readonly RowChange[]): Statement {
  const values = sources.map(({ type, of }) =>
    binaryArray(
      elementType(type),
      rows.map((row) => encoded(type, of(row))),
    ),
  );
  return { name: nameOf(text), text, values };
}

const elementType = (type: ColumnType): ElementType => (type === 'int8[]' || type === 'text[]' ? 'text' : type);

function encoded(type: ColumnType, value: Value): Element {
  if (value === null) return null;
  if (type === 'jsonb') return JSON.stringify(value);
  if (type === 'int8[]') return `{${(value as readonly number[]).join()}}`;
  if (type === 'text[]') return `{${(value as readonly string[]).map(arrayItem).join()}}`;
  return value as Element;
}

const arrayItem = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

const names = new Map<string, string>();

/** There are as many texts as combinations of columns the handlers set: a few per table. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `rows_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    names.set(text, name);
  }
  return name;
}
