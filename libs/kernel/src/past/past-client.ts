import type { ClientBase, QueryResult, QueryResultRow } from 'pg';
import type { Position, RealmId } from '../domain/index';
import { tablesIn } from '../projections/definition/view-tables';
import type { PastTables } from './past-tables';

/** The rows of tables that the reads of a question need: those with one of these values in a column of the key. */
export type OnlyRows = Readonly<Record<string, { readonly column: string; readonly values: readonly number[] }>>;

/** The realm and the position that a client of the past shows. */
export interface PastMoment {
  readonly realmId: RealmId;
  readonly position: Position;
}

interface Asked {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What the texts of relations have in place of the parameters of the moment. */
const [REALM, POSITION] = ['{realm}', '{position}'];
const VIEW = /\bview\.([a-z_][a-z0-9_]*)/g;
const WITH = /^\s*WITH\s+(RECURSIVE\s+)?/i;

/** The `query` of a client of node-pg, over read models as they were. It serves reads that get their client as a parameter. */
export class PastClient {
  /** The changed rows of tables as JSON, folded once for all queries of a question. */
  private readonly changed = new Map<string, Promise<string | null>>();

  constructor(
    private readonly snapshot: ClientBase,
    private readonly moment: PastMoment,
    private readonly tables: PastTables,
    private readonly only: OnlyRows,
  ) {}

  async query<R extends QueryResultRow>(asked: Asked): Promise<QueryResult<R>> {
    const { text, values = [] } = asked;
    const parameters = [...values];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const found: string[] = [];
    for (const table of new Set(tablesIn(text))) {
      found.push(`past_${table} AS NOT MATERIALIZED (${await this.relation(table, parameter)})`);
    }
    if (found.length === 0) return this.snapshot.query<R>(text, parameters);
    let relations = found.join(', ');
    // PostgreSQL refuses a parameter that the text does not contain.
    for (const [token, value] of [
      [REALM, this.moment.realmId],
      [POSITION, this.moment.position],
    ] as const) {
      if (relations.includes(token)) relations = relations.replaceAll(token, `${parameter(value)}::int8`);
    }
    const [head = '', recursive = ''] = WITH.exec(text) ?? [];
    const rest = text.slice(head.length).replace(VIEW, (_, table: string) => `past_${table}`);
    return this.snapshot.query<R>(`WITH ${recursive}${relations}${head === '' ? ' ' : ', '}${rest}`, parameters);
  }

  private async relation(table: string, parameter: (value: unknown) => string): Promise<string> {
    const only = this.only[table] ?? null;
    const key = `${table} ${JSON.stringify(only)}`;
    const changed = this.changed.get(key) ?? this.tables.changedRows(this.snapshot, this.moment, table, only);
    this.changed.set(key, changed);
    const rows = await changed;
    return this.tables.relation(table, {
      realm: REALM,
      position: POSITION,
      changed: rows === null ? null : `${parameter(rows)}::jsonb`,
      only: only && `${only.column} = ANY(${parameter(only.values)}::int8[])`,
    });
  }
}
