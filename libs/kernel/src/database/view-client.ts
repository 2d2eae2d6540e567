import { Client } from 'pg';
import type { ViewTables } from '../projections/definition/view-tables';

/** As node-pg declares it, with one signature. */
type Queryable = new (options: unknown) => { query(query: unknown, ...rest: unknown[]): unknown };

/** Connections on which queries find the read models of this code (`ViewTables`). */
export function viewClient(tables: ViewTables): typeof Client {
  const plain = Client as unknown as Queryable;
  class ViewClient extends plain {
    override query(query: unknown, ...rest: unknown[]): unknown {
      return super.query(resolved(query, tables), ...rest);
    }
  }
  return ViewClient as unknown as typeof Client;
}

/** A text, or an object with one. A query with its own protocol is not changed. */
function resolved(query: unknown, tables: ViewTables): unknown {
  if (typeof query === 'string') return tables.resolve(query);
  if (typeof query !== 'object' || query === null || !('text' in query) || 'submit' in query) return query;
  const { text } = query;
  if (typeof text !== 'string') return query;
  const found = tables.resolve(text);
  return found === text ? query : { ...query, text: found };
}
