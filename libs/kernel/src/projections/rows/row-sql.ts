import { createHash } from 'node:crypto';
import type { Recorded } from '../../domain/index';
import { grouped } from '../../domain/index';
import { binaryArray } from './binary-arrays';
import { BitChange, bitWidthOf } from '../definition/bits';
import { AtLeast, Increment } from '../definition/define';
import type { ColumnType, Projection, ColumnChange, TableDefinition, Value } from '../definition/define';
import { elementType, encoded, sqlOf } from './column-values';
import { collectChanges } from './row-changes';
import type { TableChanges } from './row-changes';
import type { ColumnChanges } from './row-values';
import type { RowChange } from './segments';
import { liveSchema, quotedIdentifier, tableName } from '../definition/tables';

/** A query for node-pg, prepared once for each connection. The name identifies the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: Buffer[];
}

/**
 * Settings for the transaction of the statements, or for their connection. With them, rows are found by index even if
 * the planner takes a growing table for small and keeps that plan. A remaining scan then counts as so expensive that it
 * would be compiled, so that is off.
 */
export const BY_INDEX_SQL = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off';

/**
 * The changes of events to the tables of a projection, as a few set-based statements for each table, to be run in this
 * order in one transaction. Each statement checks `last_position`, so repeating old events changes nothing.
 * @param events in log order within each realm; realms may be mixed
 * @param schema of the tables, if it is not that of the live tables of this version
 * @throws ProjectionFailed if a handler throws
 */
export function statementsFor(
  projection: Projection,
  events: readonly Recorded[],
  schema = liveSchema(projection),
): Statement[] {
  return [...statementPieces(projection, events, schema)].flat();
}

/**
 * The same step by step: first the handlers run, then each statement is created when it is taken. Tables without
 * changes have no statements.
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

/** An array parameter of a statement, a column of `u` in its text. */
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

  /** Segments in their order. Segments of different realms share statements. */
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
    const assignments = names.map((column, i) =>
      this.assignment(column, set[column], sqlOf(`u.s${i}`, this.definition.columns[column])),
    );
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
    const read = this.columns.map((column, i) => sqlOf(`u.c${i}`, this.definition.columns[column]));
    return statement(
      `INSERT INTO ${this.target} AS t (realm_id, ${this.columns.map(quotedIdentifier).join(', ')}, last_position) ` +
        `SELECT u.realm_id, ${read.join(', ')}, u.last_position FROM ${unnest(sources)}${this.onConflict(rows[0])}`,
      sources,
      rows,
    );
  }

  private onConflict(row: RowChange | undefined): string {
    if (this.definition.addOnly) return '';
    const key = ['realm_id', ...this.definition.key.map(quotedIdentifier)].join(', ');
    if (row === undefined || !mergesIntoInsert(row)) return ` ON CONFLICT (${key}) DO NOTHING`;
    const set = settingsOf(row);
    const assignments = this.columns
      .filter((column) => column in set)
      .map((column) => this.assignmentOnConflict(column, set[column]));
    return (
      ` ON CONFLICT (${key}) DO UPDATE SET ${[...assignments, 'last_position = excluded.last_position'].join(', ')} ` +
      'WHERE t.last_position <= excluded.last_position'
    );
  }

  private assignment(column: string, value: ColumnChange | undefined, from: string): string {
    const name = quotedIdentifier(column);
    if (value instanceof Increment) return `${name} = coalesce(t.${name}, 0) + ${from}`;
    if (value instanceof BitChange) return `${name} = ${this.changedBits(column, from)}`;
    return value instanceof AtLeast ? `${name} = greatest(t.${name}, ${from})` : `${name} = ${from}`;
  }

  /** The same for a row that was there before an insert; of bits, only those that are set are inserted (`isInserted`). */
  private assignmentOnConflict(column: string, value: ColumnChange | undefined): string {
    const [name, from] = [quotedIdentifier(column), `excluded.${quotedIdentifier(column)}`];
    if (value instanceof BitChange) return `${name} = coalesce(t.${name} | ${from}, ${from})`;
    return this.assignment(column, value, from);
  }

  /** The bits of a row after a change, which is sent as the cleared bits followed by the set ones. */
  private changedBits(column: string, from: string): string {
    const width = bitWidthOf(this.definition.columns[column] ?? '') ?? 0;
    const [cleared, set] = [1, width + 1].map((at) => `substring(${from} FROM ${at} FOR ${width})`);
    return `coalesce((t.${quotedIdentifier(column)} & (~ ${cleared})) | ${set}, ${set})`;
  }

  /** Names the columns that a row sets and the kind of change. Equal rows share a statement. */
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
   * Finds the rows one by one through an index, with `=` throughout; null matches null. A plain join would become a
   * hash join over a scan of the whole table if its generic plan is made while the table is small.
   */
  private found(by: readonly string[], rows: readonly RowChange[]): string {
    const conditions = by.map((column, i) =>
      rows[0]?.match[i] === null ? `r.${quotedIdentifier(column)} IS NULL` : `r.${quotedIdentifier(column)} = u.k${i}`,
    );
    const condition = ['r.realm_id = u.realm_id', ...conditions, 'r.last_position <= u.last_position'].join(' AND ');
    const rowsFound = `SELECT r.ctid AS at FROM ${this.target} AS r WHERE ${condition} OFFSET 0`;
    return `CROSS JOIN LATERAL (${rowsFound}) AS f WHERE t.ctid = f.at`;
  }

  private source(alias: string, column: string, of: (row: RowChange) => Value): Source {
    return { alias, type: this.definition.columns[column] ?? 'text', of };
  }
}

const settingsOf = (row: RowChange | undefined): ColumnChanges =>
  row?.existing?.kind === 'set' ? row.existing.values : {};
function plain(value: ColumnChange | undefined): Value {
  if (value instanceof Increment) return value.by;
  if (value instanceof BitChange) return Buffer.concat([value.cleared, value.set]);
  return value instanceof AtLeast ? value.value : (value ?? null);
}

/** Rows with different kinds of changes need different statements. */
function manner(value: ColumnChange | undefined): string {
  if (value instanceof Increment) return '+';
  if (value instanceof BitChange) return '|';
  return value instanceof AtLeast ? '>' : '';
}

const nulls = (row: RowChange): string => row.match.map((value) => (value === null ? '0' : '1')).join('');

/** Whether one INSERT .. ON CONFLICT DO UPDATE is enough, because it sets what it inserts. */
function mergesIntoInsert({ created, existing }: RowChange): boolean {
  if (created === null || existing?.kind !== 'set' || created.position !== existing.position) return false;
  const { values } = existing;
  return Object.keys(values).every((column) => isInserted(created.values[column], values[column]));
}

function isInserted(value: Value | undefined, set: ColumnChange | undefined): boolean {
  if (set instanceof BitChange) return set.onlySets && Buffer.isBuffer(value) && set.set.equals(value);
  return value === plain(set);
}

/** All transactions use the same order, so that two of them never wait for each other's rows. */
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

/** One unnest of several arrays yields them side by side, so no join is needed, whatever the plan. */
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

const names = new Map<string, string>();

/** The number of texts is the number of combinations of columns that handlers set: a few for each table. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `rows_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    names.set(text, name);
  }
  return name;
}
