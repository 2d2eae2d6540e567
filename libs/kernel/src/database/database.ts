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

// Ids and positions stay below 2^53, so numbers are exact; the log's json is verbatim text that hashes cover.
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(JSON_TEXT, (text) => text);

/** Connections of one process, apart from its lanes and listeners. */
const POOL_SIZE = 16;
const MIGRATION_LOCK = 7_218_501;
/** After which PostgreSQL ends the transaction of a process that stands still, in ms. */
const IDLE_MS = 15_000;
/**
 * The same while it holds what everybody waits for, heads above all. What a healthy process does between two statements
 * takes a fraction of it.
 */
export const STANDSTILL_MS = 5_000;
/** For a transaction that does. */
export const HOLDING_SQL = `SET LOCAL idle_in_transaction_session_timeout = ${STANDSTILL_MS}`;

/** For a transaction that works through a whole database: neither it nor what is done between its statements is hurried. */
export const UNHURRIED_SQL = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** The database of a process: one TypeORM data source, whose pool everything else shares. */
export class Database {
  /** Receives every error that PostgreSQL reports on a connection of the pool; the caller receives it as well. */
  onErrorAnswered: ((error: Error) => void) | null = null;

  private constructor(
    readonly dataSource: DataSource,
    readonly url: string,
  ) {}

  /**
   * @param options.migrations those of contexts, beside the kernel's own
   * @param options.only names of the migrations that are known; all when left out
   * @param options.tables where queries find read models; left out by those who ask none
   * @throws Error when PostgreSQL cannot be reached
   */
  static async connect(
    url: string,
    options: {
      poolSize?: number;
      migrations?: readonly Migration[];
      only?: readonly string[];
      tables?: ViewTables;
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
        ...(options.tables ? { Client: viewClient(options.tables) } : {}),
      },
      // A broken idle connection is replaced by the pool; without a listener it would end the process.
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

  /** Names of the migrations that are known. */
  get migrations(): readonly string[] {
    return this.dataSource.migrations.map(({ name }) => name ?? '');
  }

  /** Brings the schema up to date; several processes may try at once. */
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

  /** Runs reads that must agree with each other on one snapshot; read models are not switched meanwhile. */
  async snapshot<T>(read: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.transaction(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${HOLD_VERSIONS_SQL}`, read);
  }

  /**
   * @param begin statement that opens it
   * @throws Error when PostgreSQL answered the COMMIT with a rollback
   */
  async transaction<T>(begin: string, run: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let [broken, ended]: (Error | undefined)[] = [];
    const onError = (error: Error) => (ended ??= error);
    client.on('error', onError);
    try {
      await client.query(begin);
      const result = await run(client);
      // After an error that was swallowed PostgreSQL answers COMMIT with ROLLBACK and reports no error.
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back by PostgreSQL');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      // A statement on a connection that PostgreSQL has ended says only that; the reason was reported before.
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

/** What node-pg has and does not declare: the socket, and an event for every error that the server answers to anybody. */
interface Declared {
  readonly connection: {
    readonly stream: Readable;
    on(event: 'errorMessage', listener: (error: Error) => void): void;
  };
}

/**
 * Paces the reading of each connection and listens for its errors. A connection that breaks while it is used fails the
 * query of its user; the event of its own must not end the process.
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
