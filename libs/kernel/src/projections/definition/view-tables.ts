import { lastUsed } from '../../last-used';
import type { Projection } from './define';
import { liveSchema, tableName } from './tables';

/** Texts whose translation is remembered: those of queries, and the many that narrows are made of. */
const MAX_TEXTS = 5_000;
const IN_VIEW = /\bview\.([a-z_][a-z0-9_]*)/g;

/**
 * Where the read models of this code are. Queries name their tables `view.<table>`, whatever version they are written
 * for: it is the one that this code declares, which is put in when a query is sent. So processes of different versions
 * work side by side, each on its own tables.
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

  /** The text of a query with the names of the tables as the database knows them; a table that is of none stays. */
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
