import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock, RealmId } from '../domain/index';

/** How organizations with work are found. */
export interface DueSearch {
  /** Of this search only. */
  readonly name: string;
  /** A query of the column `id`, in which `$1` is the current time in ms. It is asked without an order. */
  readonly sql: string;
}

interface Asked {
  readonly search: DueSearch;
  readonly resolve: (realms: RealmId[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Found {
  readonly search: number;
  readonly id: RealmId;
}

/**
 * Finds organizations in which something is due. Sweeps look at the same time, and all searches of one turn of the event
 * loop share a statement: in most seconds nothing is due, and then the statement itself is what costs.
 */
export class DueRealms {
  private asked: Asked[] = [];

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  /** The organizations that a search finds, in no order. */
  find(search: DueSearch): Promise<RealmId[]> {
    return new Promise((resolve, reject) => {
      if (this.asked.length === 0) setImmediate(() => void this.answer());
      this.asked.push({ search, resolve, reject });
    });
  }

  private async answer(): Promise<void> {
    const { asked } = this;
    this.asked = [];
    const byName = new Map(asked.map(({ search }) => [search.name, search]));
    const searches = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    try {
      const found = await this.read(searches);
      for (const { search, resolve } of asked) resolve(found.get(search.name) ?? []);
    } catch (error) {
      // One that fails must not stop the others.
      for (const { search, resolve, reject } of asked) {
        if (searches.length === 1) reject(error);
        else this.read([search]).then((found) => resolve(found.get(search.name) ?? []), reject);
      }
    }
  }

  private async read(searches: readonly DueSearch[]): Promise<Map<string, RealmId[]>> {
    const text = searches
      .map(({ sql }, n) => `SELECT ${n} AS search, d.id FROM (${timed(sql)}) AS d`)
      .join(' UNION ALL ');
    const names = createHash('sha256')
      .update(searches.map(({ name }) => name).join())
      .digest('hex');
    const values = text.includes('$1') ? [this.clock.now()] : [];
    const { rows } = await this.pool.query<Found>({ name: `due-realms-${names.slice(0, 32)}`, text, values });
    return new Map(searches.map(({ name }, n) => [name, rows.filter((row) => row.search === n).map(({ id }) => id)]));
  }
}

/** With the time in a subquery, PostgreSQL keeps one plan. It would plan anew for each time otherwise. */
const timed = (sql: string): string => sql.replaceAll('$1', '(SELECT $1::int8)');
