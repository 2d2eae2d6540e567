import 'reflect-metadata';
import type { Readable } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Migration } from './migration';
import { isConnectionLost } from './sql-states';
import { kernelMigrations } from './kernel-migrations';
import { migrationClass, rememberedName } from './migration';
import { HOLD_VERSIONS_SQL } from '../projections/schema';
import type { ViewTables } from '../projections/definition/view-tables';
import { ReadingPace } from './reading-pace';
import { viewClient } from './view-client';
import { leased } from './lease';

const INT8 = 20;
const JSON_TEXT = 114;

// Ids and positions stay below 2^53, so numbers are exact. The log's json is verbatim text that hashes cover.
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(JSON_TEXT, (text) => text);

/** Connections of one process, apart from its lanes and listeners. */
const POOL_SIZE = 16;
const MIGRATION_LOCK = 7_218_501;
/** Time in ms after which PostgreSQL ends the transaction of a frozen process. */
const IDLE_MS = 15_000;
/**
 * The same in ms while a transaction holds locks that all need, heads above all. A healthy process needs a fraction of
 * it between two statements.
 */
export const STANDSTILL_MS = 5_000;
/** The setting for such a transaction. */
export const HOLDING_SQL = `SET LOCAL idle_in_transaction_session_timeout = ${STANDSTILL_MS}`;

/** For a transaction over a whole database, without time limits for its statements and the pauses between them. */
export const UNHURRIED_SQL = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** The database of a process: one TypeORM data source with a shared pool. */
export class Database {
  /** Receives every error that PostgreSQL reports on a connection of the pool. The caller receives it as well. */
  onErrorAnswered: ((error: Error) => void) | null = null;

  private constructor(
    readonly dataSource: DataSource,
    readonly url: string,
  ) {}

  /**
   * @param options.migrations of the contexts, in addition to the kernel's
   * @param options.only names of the known migrations; all by default
   * @param options.tables the schemas of read models; absent for callers that read none
   * @param options.schema of all other tables; that of the database if it is left out
   * @throws Error if PostgreSQL cannot be reached
   */
  static async connect(
    url: string,
    options: {
      poolSize?: number;
      migrations?: readonly Migration[];
      only?: readonly string[];
      tables?: ViewTables;
      schema?: string | undefined;
    } = {},
  ): Promise<Database> {
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      migrations: [...kernelMigrations, ...(options.migrations ?? [])]
        .filter((migration) => options.only?.includes(rememberedName(migration)) ?? true)
        .map(migrationClass),
      migrationsTransactionMode: 'each',
      poolSize: options.poolSize ?? POOL_SIZE,
      extra: {
        application_name: 'annals',
        connectionTimeoutMillis: 10_000,
        statement_timeout: 60_000,
        idle_in_transaction_session_timeout: IDLE_MS,
        ...(options.schema === undefined ? {} : { options: `-c search_path=${options.schema}` }),
        ...(options.tables ? { Client: viewClient(options.tables) } : {}),
      },
      // The pool replaces a broken idle connection. Without a listener, its error would end the process.
      poolErrorHandler: () => undefined,
    });
    await dataSource.initialize();
    const database = new Database(dataSource, url);
    prepareConnections(database);
    return database;
  }

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Names of the known migrations. */
  get migrations(): readonly string[] {
    return this.dataSource.migrations.map(({ name }) => name ?? '');
  }

  /** Brings the schema up to date. Several processes may try at once. */
  async migrate(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await leased(client, () => this.dataSource.runMigrations({ transaction: 'each' }));
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      client.release();
    }
  }

  /** Whether the schema is older than this code. */
  async needsMigration(): Promise<boolean> {
    return this.dataSource.showMigrations();
  }

  /** Runs reads on one snapshot, so that they agree. Read models are not switched meanwhile. */
  async snapshot<T>(read: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.transaction(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${HOLD_VERSIONS_SQL}`, read);
  }

  /**
   * @param begin statement that opens the transaction
   * @throws Error if PostgreSQL answered the COMMIT with a rollback
   */
  async transaction<T>(begin: string, run: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let [broken, ended]: (Error | undefined)[] = [];
    const onError = (error: Error) => (ended ??= error);
    client.on('error', onError);
    try {
      await client.query(begin);
      const result = await run(client);
      // After a swallowed error, PostgreSQL answers COMMIT with ROLLBACK and reports no error.
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back by PostgreSQL');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      // A statement on a connection that PostgreSQL has ended has no other error. The reason was reported before.
      throw isConnectionLost(error) ? (ended ?? error) : error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}

/** Undeclared parts of node-pg: the socket, and an event for every error that the server sends. */
interface Declared {
  readonly connection: {
    readonly stream: Readable;
    on(event: 'errorMessage', listener: (error: Error) => void): void;
  };
}

/**
 * Limits the rate of reads of each connection and listens for its errors. If a connection breaks in use, the query
 * fails. The error event of the connection must not end the process.
 */
function prepareConnections(database: Database): void {
  const prepared = new WeakSet<PoolClient>();
  const pace = new ReadingPace();
  database.pool.on('acquire', (client) => {
    if (prepared.has(client)) return;
    prepared.add(client);
    client.on('error', () => undefined);
    const { connection } = client as PoolClient & Declared;
    connection.on('errorMessage', (error) => database.onErrorAnswered?.(error));
    pace.pace(connection.stream);
  });
}
