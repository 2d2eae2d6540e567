import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Instant } from '../domain/index';
import { DAY_MS, HOUR_MS } from '../domain/index';
import type { Kernel } from '../kernel';
import { isLockTimeoutOrDeadlock } from '../database/sql-states';
import type { Projection } from '../projections/definition/define';
import { quotedIdentifier, tableName } from '../projections/definition/tables';
import { BuildInProgress, withBuildLocks } from '../projections/rebuild/build-lock';
import type { SealedColumn } from './sealed-columns';
import { sealedBeside, sealedOf, withoutStatistics } from './sealed-columns';

/** Locks that no other process takes for a read model. Only one process cleans. */
const CLEANUP = 'storage cleanup';

/** Limits of one statement. A large index takes minutes, and other processes work meanwhile. */
const BEGIN = `SET statement_timeout = '2h'; SET lock_timeout = '30s'; SET maintenance_work_mem = '256MB'`;
const END = 'RESET statement_timeout; RESET lock_timeout; RESET maintenance_work_mem';
/** A change of a column locks out all others, so it waits for its lock no longer than this, and is tried so often. */
const BEGIN_CHANGE = `BEGIN; SET LOCAL lock_timeout = '300ms'`;
const ATTEMPTS = 5;
const PAUSE_MS = 200;
/** How long transactions that still see the erased rows may take. */
const PATIENCE_MS = 30_000;

/** The result of a cleanup. */
export interface CleanedUp {
  readonly tables: number;
  readonly indexes: number;
  /** Why something could not be cleaned now; null if all is clean. The next cleanup tries it again. */
  readonly left: string | null;
}

/** To be called when texts are gone from the log and from all read models: their traces are removed by the next cleanup. */
export async function noteErasure(pool: Pool): Promise<void> {
  await pool.query({ name: 'erasure-noted', text: 'UPDATE storage_cleanup SET erasures = erasures + 1' });
}

/**
 * Removes what PostgreSQL keeps of erased texts: old versions of rows (VACUUM), entries of indexes (REINDEX) and statistics.
 * Readers and writers are not disturbed. Any number of processes may try at once: one cleans.
 */
export class StorageCleanup {
  private readonly stopped = new AbortController();
  private session: number | null = null;

  constructor(private readonly kernel: Pick<Kernel, 'database' | 'projections' | 'clock'>) {}

  /**
   * Cleans if something was erased since the last cleanup.
   *
   * @param options.now also if the last one was less than a day ago
   * @returns null if there is nothing to do, or another process does it
   */
  async run({ now = false }: { readonly now?: boolean } = {}): Promise<CleanedUp | null> {
    if (!(await this.isDue(now))) return null;
    try {
      return await withBuildLocks(this.kernel.database, [CLEANUP], () => this.runAlone(now));
    } catch (error) {
      if (error instanceof BuildInProgress && !now) return null;
      if (error instanceof BuildInProgress) return { tables: 0, indexes: 0, left: 'another process is cleaning' };
      throw error;
    }
  }

  /** Begins nothing any more, and ends the statement that is running. */
  async stop(): Promise<void> {
    this.stopped.abort();
    if (this.session !== null)
      await this.kernel.database.pool.query('SELECT pg_cancel_backend($1)', [this.session]).catch(() => undefined);
  }

  private async isDue(now: boolean): Promise<boolean> {
    const { rows } = await this.kernel.database.pool.query<{ isDue: boolean }>({
      name: 'storage-cleanup-due',
      text: `SELECT erasures > cleaned AND ($1 OR due_at <= $2) AS "isDue" FROM storage_cleanup`,
      values: [now, this.kernel.clock.now()],
    });
    return rows[0]?.isDue === true;
  }

  private async runAlone(now: boolean): Promise<CleanedUp | null> {
    const { database, clock } = this.kernel;
    // Another process may just have done it.
    if (!(await this.isDue(now))) return null;
    const { rows } = await database.pool.query<{ erasures: number }>('SELECT erasures FROM storage_cleanup');
    const cleaned = await this.clean();
    const dueAt = (clock.now() + (cleaned.left === null ? DAY_MS : HOUR_MS)) as Instant;
    await database.pool.query(
      'UPDATE storage_cleanup SET cleaned = CASE WHEN $1 THEN $2::int8 ELSE cleaned END, due_at = $3',
      [cleaned.left === null, rows[0]?.erasures, dueAt],
    );
    return cleaned;
  }

  private async clean(): Promise<CleanedUp> {
    const { database, projections } = this.kernel;
    const client = await database.pool.connect();
    const counts = { tables: 0, indexes: 0 };
    const left: string[] = [];
    const attempt = async (name: string, run: () => Promise<void>) => {
      if (this.stopped.signal.aborted) return void left.push('the process stops');
      try {
        await run();
      } catch (error) {
        left.push(`${name}: ${(error as Error).message}`);
      }
    };
    try {
      await client.query(BEGIN);
      this.session = await sessionOf(client);
      await attempt('transactions', () => olderTransactionsEnded(client));
      await attempt('log', async () => add(counts, await cleanTables(client, await sealedBeside(client))));
      for (const projection of projections.filter(isSealed))
        await attempt(projection.name, () =>
          withBuildLocks(database, [projection.name], async () =>
            add(counts, await cleanTables(client, await sealedOf(client, projection))),
          ),
        );
    } finally {
      this.session = null;
      await client.query(END).catch(() => undefined);
      client.release();
    }
    return { ...counts, left: left[0] ?? null };
  }
}

const isSealed = ({ tables }: Projection): boolean =>
  Object.values(tables).some(({ sealed = [] }) => sealed.length > 0);

type Counts = Omit<CleanedUp, 'left'>;

function add(counts: { tables: number; indexes: number }, { tables, indexes }: Counts): void {
  counts.tables += tables;
  counts.indexes += indexes;
}

async function sessionOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

/** VACUUM keeps rows that a transaction may still see. @throws Error if one does not end for a while */
async function olderTransactionsEnded(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::xid::text AS xid');
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows: older } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (age(backend_xmin) > age($1::text::xid) OR age(backend_xid) > age($1::text::xid)) LIMIT 1`,
      [rows[0]?.xid],
    );
    if (older.length === 0) return;
    if (performance.now() > giveUp) throw new Error('a long transaction, perhaps a backup, still sees what was erased');
    await pause(PAUSE_MS);
  }
}

async function cleanTables(client: PoolClient, columns: readonly SealedColumn[]): Promise<Counts> {
  for (const statement of withoutStatistics(columns)) await change(client, statement);
  const tables = [...new Set(columns.map(({ schema, table }) => tableName(schema, table)))];
  let indexes = 0;
  for (const table of tables) {
    for (const index of await indexesOf(client, table, columns)) {
      await client.query(`REINDEX INDEX CONCURRENTLY ${index}`);
      indexes += 1;
    }
    await client.query(`VACUUM (TRUNCATE FALSE) ${table}`);
  }
  return { tables: tables.length, indexes };
}

async function change(client: ClientBase, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`${BEGIN_CHANGE}; ${statement}; COMMIT`);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isLockTimeoutOrDeadlock(error) || attempt >= ATTEMPTS) throw error;
      await pause(PAUSE_MS * attempt);
    }
  }
}

/** The indexes over sealed columns. Removes what a cleanup left that was ended in the middle. */
async function indexesOf(client: ClientBase, table: string, columns: readonly SealedColumn[]): Promise<string[]> {
  const sealed = columns.filter((each) => tableName(each.schema, each.table) === table).map(({ column }) => column);
  const { rows } = await client.query<{ schema: string; name: string; isLeft: boolean }>(
    `SELECT n.nspname AS schema, c.relname AS name, NOT x.indisvalid AND c.relname ~ '_cc(new|old)[0-9]*$' AS "isLeft"
     FROM pg_index AS x JOIN pg_class AS c ON c.oid = x.indexrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE x.indrelid = $1::regclass AND c.relkind = 'i' AND EXISTS (SELECT FROM pg_attribute AS a
       WHERE a.attrelid = x.indrelid AND a.attnum = ANY(x.indkey) AND a.attname = ANY($2::text[])) ORDER BY c.relname`,
    [table, sealed],
  );
  const index = ({ schema, name }: { schema: string; name: string }) =>
    `${quotedIdentifier(schema)}.${quotedIdentifier(name)}`;
  for (const each of rows) if (each.isLeft) await client.query(`DROP INDEX CONCURRENTLY ${index(each)}`);
  return rows.filter(({ isLeft }) => !isLeft).map(index);
}
