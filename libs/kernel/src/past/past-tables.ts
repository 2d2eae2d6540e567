import type { ClientBase } from 'pg';
import type { Recorded } from '../domain/index';
import { grouped } from '../domain/index';
import type { EventLog } from '../log/event-log';
import type { Projection, Row, TableDefinition } from '../projections/definition/define';
import type { PastByStreams, TablePast } from '../projections/definition/table-past';
import { longWork } from '../work/time-slices';
import { foldRows } from './folded-rows';
import type { OnlyRows, PastMoment } from './past-client';

/** Rows whose streams are read with one query. */
const PAGE = 1_000;
/** Rows that are folded at a stretch, before other work runs. */
const AT_ONCE = 100;

/** Expressions of a query about the past. */
interface Expressions {
  readonly realm: string;
  readonly position: string;
  /** The rows that changed later, as they were. Null for none. */
  readonly changed: string | null;
  /** Condition for the rows that are needed. Null for all. */
  readonly only: string | null;
}

/** The tables of read models as they were at a position. */
export class PastTables {
  private readonly projections = new Map<string, Projection>();

  constructor(
    projections: readonly Projection[],
    private readonly events: Pick<EventLog, 'streamsUpTo'>,
  ) {
    for (const projection of projections) {
      for (const table of Object.keys(projection.tables)) this.projections.set(table, projection);
    }
  }

  /** A query for the rows of a table, in the order of its columns. */
  relation(table: string, { realm, position, changed, only }: Expressions): string {
    const { definition, past } = this.known(table);
    const live = `FROM view.${table} AS t WHERE t.realm_id = ${realm}${only === null ? '' : ` AND t.${only}`}`;
    if (past === 'added') return `SELECT t.* ${live} AND t.last_position <= ${position}`;
    if (past === 'spans')
      return `SELECT ${spanColumns(definition, position)} ${live} AND t.from_position <= ${position}`;
    if ('query' in past) return past.query(realm, position);
    const unchanged = `SELECT t.* ${live} AND t.last_position <= ${position}`;
    if (changed === null) return unchanged;
    const folded = `SELECT f.* FROM jsonb_populate_recordset(NULL::view.${table}, ${changed}) AS f`;
    // A stream may make other rows too, which have not changed.
    const isSame = definition.key.map((column) => `t.${column} = f.${column}`).join(' AND ');
    return `${unchanged} UNION ALL ${folded} WHERE NOT EXISTS (SELECT ${live} AND ${isSame}
      AND t.last_position <= ${position})`;
  }

  /** The rows that changed after the position, as they were at it, in JSON. Null for none. */
  async changedRows(
    client: ClientBase,
    moment: PastMoment,
    table: string,
    only: OnlyRows[string] | null,
  ): Promise<string | null> {
    const { projection, definition, past } = this.known(table);
    if (typeof past === 'string' || 'query' in past) return null;
    const keys = await changedKeys(client, moment, table, { definition, past, only });
    const units = [...new Map(keys.map((key) => [past.streams(key).join(), past.streams(key)])).values()];
    const rows: Row[] = [];
    for (let from = 0; from < units.length; from += PAGE) {
      const page = units.slice(from, from + PAGE);
      const events = await this.eventsOf(client, moment, past, page.flat());
      const fold = (streams: readonly string[]) => foldRows(projection, table, inOrder(streams, events, past));
      rows.push(...(await longWork.map(`past ${moment.realmId}`, page, AT_ONCE, fold)).flat());
    }
    return rows.length === 0 ? null : JSON.stringify(rows);
  }

  private async eventsOf(
    client: ClientBase,
    { realmId, position }: PastMoment,
    { types, lasting = [] }: PastByStreams,
    streams: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Recorded[]>> {
    const named = (definitions: readonly { readonly type: string }[]) => definitions.map(({ type }) => type);
    const asked = { position, types: named(types), lasting: named(lasting) };
    const events = await this.events.streamsUpTo(realmId, [...new Set(streams)], asked, client);
    return grouped(events, ({ stream }) => stream);
  }

  private known(table: string): { projection: Projection; definition: TableDefinition; past: TablePast } {
    const projection = this.projections.get(table);
    const definition = projection?.tables[table];
    if (!projection || !definition?.past) throw new Error(`the table ${table} has no past that can be read`);
    return { projection, definition, past: definition.past };
  }
}

/** Removals for good come last, so that no earlier event shows a removed thing again. */
function inOrder(
  streams: readonly string[],
  events: ReadonlyMap<string, readonly Recorded[]>,
  { lasting = [] }: PastByStreams,
): Recorded[] {
  const own = streams.flatMap((stream) => events.get(stream) ?? []);
  const isLasting = ({ type }: Recorded) => lasting.some((one) => one.type === type);
  const inTime = own.filter((event) => !isLasting(event)).sort((a, b) => a.position - b.position);
  return [...inTime, ...own.filter(isLasting)];
}

/** Nothing that ended later has ended. */
const spanColumns = ({ columns }: TableDefinition, position: string): string =>
  ['realm_id', ...Object.keys(columns), 'last_position']
    .map((column) =>
      column === 'to_position'
        ? `CASE WHEN t.to_position <= ${position} THEN t.to_position END AS to_position`
        : `t.${column}`,
    )
    .join(', ');

async function changedKeys(
  client: ClientBase,
  { realmId, position }: PastMoment,
  table: string,
  { definition, past, only }: { definition: TableDefinition; past: PastByStreams; only: OnlyRows[string] | null },
): Promise<Row[]> {
  const condition = only === null ? '' : ` AND ${only.column} = ANY($3::int8[])`;
  const values = [realmId, position, ...(only === null ? [] : [only.values])];
  const changed = `SELECT ${definition.key.join(', ')} FROM view.${table} WHERE realm_id = $1 AND last_position > $2`;
  const { rows } = await client.query<Row>(`${changed}${condition}`, values);
  if (past.deletedSince === undefined) return rows;
  const deleted = await client.query<Row>(`SELECT * FROM (${past.deletedSince}) AS d WHERE true${condition}`, values);
  return [...rows, ...deleted.rows];
}
