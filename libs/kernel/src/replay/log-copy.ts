import type { Pool } from 'pg';
import type { ContextDefinition } from '../contexts/define-context';
import { Database, UNHURRIED_SQL } from '../database/database';
import type { Position, RealmId } from '../domain/index';
import { leafHash } from '../log/encoding/canonical';
import type { StoredEvent } from '../log/encoding/registry';
import { OPEN_REALMS, lockHeads } from '../log/statements/head-locks';
import { insertEvents, moveHeads } from '../log/statements/lane-statements';
import { sendStatements } from '../log/statements/pipelined-batch';
import { binaryArray } from '../projections/rows/binary-arrays';

/** Events that are compared at once. */
const COMPARED = 50_000;

const DIGEST = `SELECT encode(sha256(coalesce(string_agg(leaf_hash, ''::bytea ORDER BY position), '')), 'hex') AS digest
  FROM events WHERE realm_id = $1 AND position > $2 AND position <= $3`;

/**
 * The log of a realm in another database, to which the events of this one are written with their positions and hashes.
 * The database has the schema and no read models. They are built when the log is complete (`Rebuild.upgrade`).
 */
export class LogCopy {
  private constructor(private readonly database: Database) {}

  /**
   * Opens a database and creates the schema of this release in it.
   *
   * @throws Error when read models are live in it, so that events cannot be written beside them
   */
  static async open(url: string, contexts: readonly ContextDefinition[]): Promise<LogCopy> {
    const migrations = contexts.flatMap((context) => context.migrations);
    const database = await Database.connect(url, { migrations, poolSize: 2 });
    try {
      await database.migrate();
      return new LogCopy(database);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /**
   * The position up to which the copy has the events of the source; 0 for an empty one.
   *
   * @throws Error when it has other events
   */
  async position(source: Pool, realmId: RealmId): Promise<Position> {
    const heads = await this.heads();
    const head = heads.get(realmId) ?? (0 as Position);
    for (let after = 0; after < head; after += COMPARED) {
      const values = [realmId, after, Math.min(head, after + COMPARED)];
      const [ours, theirs] = await Promise.all(
        [source, this.database.pool].map((pool) => pool.query<{ digest: string }>(DIGEST, values)),
      );
      if (ours?.rows[0]?.digest !== theirs?.rows[0]?.digest) {
        throw new Error(`the database has other events of realm ${realmId} after position ${after}`);
      }
    }
    return head;
  }

  /** Whether no organization has an event in it. */
  async isEmpty(): Promise<boolean> {
    return (await this.heads()).size === 0;
  }

  /** Whether read models are live in it. From then on it is a server of its own, and takes no events of another log. */
  async hasReadModels(): Promise<boolean> {
    const { rows } = await this.database.pool.query<{ live: boolean }>(
      `SELECT EXISTS (SELECT FROM projections WHERE lifecycle <> 'reader' AND version IS NOT NULL) AS live`,
    );
    return rows[0]?.live ?? false;
  }

  /**
   * Writes the next events in one transaction. The hash of each is computed again first.
   *
   * @throws Error when an event is not the next one, or its hash is wrong
   */
  async write(events: readonly StoredEvent[]): Promise<void> {
    const [first] = events;
    const last = events.at(-1);
    if (!first || !last) return;
    const { realmId } = first;
    for (const event of events) {
      if (!leafHash(event, event).equals(event.leafHash)) {
        throw new Error(`the event at position ${event.position} does not match its hash`);
      }
    }
    await this.database.transaction(`BEGIN; ${UNHURRIED_SQL}`, async (client) => {
      const [, locked] = await sendStatements(client, [
        { name: 'copy-open-realm', text: OPEN_REALMS, values: [binaryArray('int4', [realmId])] },
        lockHeads([realmId], 'wait'),
      ]);
      const head = Number(locked?.rows[0]?.[1] ?? 0);
      if (first.position !== head + 1)
        throw new Error(`the copy of the log ends at ${head}, not before ${first.position}`);
      await sendStatements(client, [
        insertEvents(events.map((event) => ({ recorded: event, prepared: event, leafHash: event.leafHash }))),
        moveHeads([[realmId, { position: last.position, at: last.at }]]),
      ]);
    });
  }

  /** Takes over the counters of ids, so that new things get other ids than those in the log. */
  async countFrom(source: Pool, realmId: RealmId): Promise<void> {
    const { rows } = await source.query<{ kind: string; last: number }>(
      'SELECT kind, last FROM id_counters WHERE realm_id = $1',
      [realmId],
    );
    await this.database.pool.query(
      `INSERT INTO id_counters (realm_id, kind, last) SELECT $1, * FROM unnest($2::text[], $3::int8[])
        ON CONFLICT (realm_id, kind) DO UPDATE SET last = greatest(id_counters.last, excluded.last)`,
      [realmId, rows.map(({ kind }) => kind), rows.map(({ last }) => last)],
    );
    await this.database.pool.query(`SELECT setval('realm_ids', greatest($1, (SELECT last_value FROM realm_ids)))`, [
      realmId,
    ]);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private async heads(): Promise<Map<RealmId, Position>> {
    const { rows } = await this.database.pool.query<{ realm_id: RealmId; position: Position }>(
      'SELECT realm_id, position FROM realm_heads WHERE position > 0',
    );
    return new Map(rows.map(({ realm_id, position }) => [realm_id, position]));
  }
}
