import { lastUsed } from '../../last-used';
import type { Projection } from './define';
import { liveSchema, tableName } from './tables';

/** Number of texts with a remembered translation: the queries, and the many texts of narrows. */
const MAX_TEXTS = 5_000;
const IN_VIEW = /\bview\.([a-z_][a-z0-9_]*)/g;

/** Tables of read models that the text of a query names. */
export const tablesIn = (text: string): string[] => [...text.matchAll(IN_VIEW)].map(([, table]) => table ?? '');

/**
 * The schemas of the read models of this code. Queries name their tables `view.<table>`. When a query is sent, the
 * schema of the version that this code declares replaces `view`. So processes of different versions run side by side,
 * each with its own tables.
 */
export class ViewTables {
  private readonly places = new Map<string, string>();
  private readonly known = lastUsed<string>(MAX_TEXTS);

  constructor(projections: readonly Projection[]) {
    for (const projection of projections) {
      for (const table of Object.keys(projection.tables))
        this.places.set(table, tableName(liveSchema(projection), table));
    }
  }

  /** The text of a query with the names of the tables in the database. Unknown tables are not changed. */
  resolve(text: string): string {
    if (!text.includes('view.')) return text;
    let resolved = this.known.get(text);
    if (resolved === undefined) {
      resolved = text.replace(IN_VIEW, (named, table: string) => this.places.get(table) ?? named);
      this.known.set(text, resolved);
    }
    return resolved;
  }
}
