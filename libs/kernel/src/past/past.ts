import type { ClientBase, PoolClient } from 'pg';
import type { Position, RealmId } from '../domain/index';
import type { Kernel } from '../kernel';
import type { OnlyRows } from './past-client';
import { PastClient } from './past-client';
import { PastTables } from './past-tables';

/** Both sides of a question about the past, in one snapshot. */
export interface PastSnapshot {
  /** Queries on it find the read models as they were right after the event at the position. */
  readonly then: ClientBase;
  /** The same for reads that need only some rows of some tables, so that no others are folded. */
  readonly thenOnly: (only: OnlyRows) => ClientBase;
  /** The same read models as they are. */
  readonly now: ClientBase;
}

/**
 * Reads read models as they were at an earlier position. A query names tables as always (`view.users`). On the client of
 * the past, each of them is replaced by the rows that the table had then, which its definition says how to find
 * (`TablePast`). A row that has not changed since is read from the live table, so the cost grows with the number
 * of changed rows.
 */
export class Past {
  private readonly tables: PastTables;

  constructor(private readonly kernel: Pick<Kernel, 'database' | 'events' | 'projections'>) {
    this.tables = new PastTables(kernel.projections, kernel.events);
  }

  /** @throws Error for a query that names a table without a past */
  read<T>(
    moment: { readonly realmId: RealmId; readonly position: Position },
    read: (snapshot: PastSnapshot) => Promise<T>,
  ): Promise<T> {
    return this.kernel.database.snapshot((now: PoolClient) => {
      const thenOnly = (only: OnlyRows) => new PastClient(now, moment, this.tables, only) as unknown as ClientBase;
      return read({ then: thenOnly({}), thenOnly, now });
    });
  }
}
