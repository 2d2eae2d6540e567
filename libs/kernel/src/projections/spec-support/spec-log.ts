import type { PoolClient } from 'pg';
import type { TestDatabase } from '../../../../../test/support/server/database';
import { createTestDatabase } from '../../../../../test/support/server/database';
import { Database } from '../../database/database';
import type { Position, RealmId } from '../../domain/index';
import { ManualClock } from '../../domain/index';
import { EventLog } from '../../log/event-log';
import { EventRegistry } from '../../log/encoding/registry';
import type { Projection } from '../definition/define';
import { KeepUp, checkpointStatements, editionOf } from '../inline/keep-up';
import { LiveModels } from '../inline/live-models';
import { ProjectionStore } from '../versions/projection-store';
import { BY_INDEX_SQL, statementsFor } from '../rows/row-sql';
import type { Operation } from './asked';
import { Asked, asked } from './asked';

/** A real log with the simplest writer: it keeps the rules of the lane, one append at a time. */
export class SpecLog {
  readonly clock = new ManualClock();
  readonly source: EventLog;
  readonly store: ProjectionStore;
  private writes: readonly Projection[] = [];
  private writer!: { readonly models: LiveModels; readonly keepUp: KeepUp };

  private constructor(
    readonly database: Database,
    private readonly drop: TestDatabase['drop'],
  ) {
    this.source = new EventLog(database.pool, new EventRegistry([Asked]));
    this.store = new ProjectionStore(database, this.source, this.clock);
    this.inline = [];
  }

  /** The inline projections that the writer knows. */
  get inline(): readonly Projection[] {
    return this.writes;
  }

  set inline(projections: readonly Projection[]) {
    this.writes = projections;
    const models = new LiveModels(this.database.pool, projections);
    this.writer = { models, keepUp: new KeepUp({ ...this.deps, models }) };
  }

  static async open(): Promise<SpecLog> {
    const { url, drop } = await createTestDatabase();
    return new SpecLog(await Database.connect(url), drop);
  }

  /** Another writer of the same log, with connections of its own. */
  async another(): Promise<SpecLog> {
    return new SpecLog(await Database.connect(this.database.url), async () => undefined);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.drop();
  }

  get deps() {
    const { database, source, clock } = this;
    return { database, source, clock };
  }

  /**
   * One append: an event per list of operations. Writes the inline projections too.
   * @throws Error when other versions are live than this writer knows
   */
  async append(realm: number, ...events: readonly (readonly Operation[])[]): Promise<number> {
    return this.database.transaction(`BEGIN; ${BY_INDEX_SQL}`, async (client) => {
      await client.query('INSERT INTO realm_heads VALUES ($1, 0, 0) ON CONFLICT DO NOTHING', [realm]);
      const heads = await client.query<{ position: number }>(
        'SELECT position FROM realm_heads WHERE realm_id = $1 FOR UPDATE',
        [realm],
      );
      const head = Number(heads.rows[0]?.position);
      const { models, keepUp } = this.writer;
      const { sideBySide } = await models.now(client, await editionOf(client));
      const locked = { position: head as Position, at: this.clock.now() };
      await keepUp.reachIn(client, new Map([[realm as RealmId, locked]]), sideBySide);
      await this.insert(client, realm, head, events);
      await client.query('UPDATE realm_heads SET position = $2 WHERE realm_id = $1', [realm, head + events.length]);
      const written = events.map((operations, i) => asked(realm, head + i + 1, operations));
      for (const projection of this.inline)
        for (const statement of statementsFor(projection, written)) await client.query(statement);
      const end = { position: (head + events.length) as Position, at: this.clock.now() };
      for (const statement of checkpointStatements(new Map([[realm as RealmId, end]]), sideBySide))
        await client.query(statement);
      return head + events.length;
    });
  }

  /** @param schema left out where only one version is live */
  async rows(table: string, schema?: string): Promise<Record<string, unknown>[]> {
    schema ??= await this.schemaOf(table);
    const { rows } = await this.database.pool.query<Record<string, unknown>>(
      `SELECT * FROM ${schema}.${table} ORDER BY 1, 2`,
    );
    return rows;
  }

  async checkpoint(projection: string, realm: number): Promise<{ position: number; status: string } | undefined> {
    const { rows } = await this.database.pool.query<{ position: string; status: string }>(
      `SELECT position, status FROM projection_checkpoints JOIN projections USING (generation)
       WHERE projection = $1 AND name = $1 AND realm_id = $2`,
      [projection, realm as RealmId],
    );
    return rows[0] && { position: Number(rows[0].position), status: rows[0].status };
  }

  private async schemaOf(table: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ schema: string }>(
      `SELECT schemaname AS schema FROM pg_tables WHERE schemaname LIKE 'view\\_%' AND tablename = $1`,
      [table],
    );
    if (rows.length !== 1) throw new Error(`there are ${rows.length} tables ${table}`);
    return rows[0]?.schema ?? '';
  }

  private async insert(
    client: PoolClient,
    realm: number,
    head: number,
    events: readonly (readonly Operation[])[],
  ): Promise<void> {
    await client.query(
      `INSERT INTO events (realm_id, position, stream, version, type, v, command_id, correlation, client, at, data, leaf_hash)
       SELECT $1::int4, $2 + n, 'asked-' || $2 + n, 1, $3, 1, c, c, 'spec', $2 + n, data, ''
       FROM unnest($4::json[]) WITH ORDINALITY AS e(data, n), gen_random_uuid() AS c`,
      [realm, head, Asked.type, events.map((operations) => JSON.stringify(operations))],
    );
  }
}
