import type { ClientBase } from 'pg';
import type { Position, RealmId, Recorded } from '../../domain/index';
import type { Difference } from './compare';
import { compareTables } from './compare';
import type { Projection } from '../definition/define';
import type { EventSourcePage } from '../running/event-source';
import { statementsFor } from '../rows/row-sql';
import { createTables, liveSchema, quotedIdentifier, tableName } from '../definition/tables';

const SCHEMA = 'replay';

/**
 * Read models that are built again within one transaction, beside the live ones. The end of the transaction deletes
 * them.
 */
export class Replay {
  private readonly reached = new Map<Projection, ReadonlyMap<RealmId, Position>>();
  private readonly built = new Set<Projection>();

  constructor(private readonly client: ClientBase) {}

  /** @param reached the position that the live rows have reached */
  add(projection: Projection, reached: ReadonlyMap<RealmId, Position>): void {
    this.reached.set(projection, reached);
  }

  /** @returns the tables whose live rows differ from those that these pages give */
  async differences(pages: AsyncIterable<EventSourcePage>): Promise<Difference[]> {
    await this.client.query(`SAVEPOINT before_replay; CREATE SCHEMA ${quotedIdentifier(SCHEMA)}`);
    for (const projection of await this.withRows()) await this.ensureTables(projection);
    for await (const { realmId, events } of pages) {
      for (const [projection, reached] of this.reached)
        await this.take(projection, upTo(reached.get(realmId) ?? 0, events));
    }
    const differences: Difference[] = [];
    for (const projection of this.built)
      differences.push(
        ...(await compareTables(this.client, projection.tables, [liveSchema(projection), SCHEMA], true)),
      );
    // A rollback costs the database less than dropping the tables.
    await this.client.query('ROLLBACK TO SAVEPOINT before_replay');
    return differences;
  }

  private async take(projection: Projection, events: readonly Recorded[]): Promise<void> {
    for (const statement of statementsFor(projection, events, SCHEMA)) {
      await this.ensureTables(projection);
      await this.client.query(statement);
    }
  }

  /**
   * In specs, creating tables costs more than replaying the log. Without rows, live or replayed, there is nothing to
   * compare.
   */
  private async ensureTables(projection: Projection): Promise<void> {
    if (this.built.has(projection)) return;
    this.built.add(projection);
    await this.client.query(createTables(projection, SCHEMA).join(';'));
  }

  private async withRows(): Promise<Projection[]> {
    const all = [...this.reached.keys()];
    const asked = all.map((projection) => {
      const any = Object.keys(projection.tables).map(
        (table) => `EXISTS (SELECT FROM ${tableName(liveSchema(projection), table)})`,
      );
      return any.join(' OR ');
    });
    const { rows } = await this.client.query<{ live: boolean[] }>(`SELECT ARRAY[${asked.join(', ')}]::bool[] AS live`);
    return all.filter((_, n) => rows[0]?.live[n]);
  }
}

const upTo = (reached: number, events: readonly Recorded[]): readonly Recorded[] =>
  events.filter(({ position }) => position <= reached);
