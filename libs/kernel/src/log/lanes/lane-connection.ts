import { Client } from 'pg';
import type { Logger } from 'pino';
import { STANDSTILL_MS } from '../../database/database';
import { codeOf, isConflict, isSessionEnded } from '../../database/sql-states';

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

/** A connection as PostgreSQL identifies it. A process number alone may be given again. */
interface Session {
  readonly pid: number;
  readonly since: string;
}

/** The lane's own connection. It is opened when needed and dropped when it breaks. */
export class LaneConnection {
  private current: Client | null = null;
  private session: Session | null = null;
  /** Those of connections that broke. PostgreSQL may not know, and keep a transaction open. */
  private former: readonly Session[] = [];
  private broken = false;
  /** Null while it is the value with which the connection was opened. */
  private statementMs: number | null = null;

  constructor(
    private readonly open: () => Client,
    private readonly log: Logger,
  ) {}

  /** @param statementMs after which a statement of this client is cancelled. Left out: unchanged */
  async client(statementMs?: number): Promise<Client> {
    const client = this.current && !this.broken ? this.current : await this.connect();
    if (statementMs !== undefined && statementMs !== this.statementMs) {
      await client.query(`SET statement_timeout = ${statementMs}`);
      this.statementMs = statementMs;
    }
    return client;
  }

  private async connect(): Promise<Client> {
    await this.close();
    this.statementMs = null;
    const client = this.open();
    client.on('error', (error) => {
      this.broken = true;
      this.log.warn({ err: error }, 'the connection of a lane broke');
    });
    client.on('end', () => {
      this.broken = true;
    });
    await client.connect();
    this.current = client;
    this.broken = false;
    if (this.session) this.former = [...this.former.slice(-MAX_FORMER), this.session];
    this.session = null;
    const { rows } = await client.query<Session>(SESSION);
    this.session = rows[0] ?? null;
    return client;
  }

  /**
   * Ends the sessions of connections that broke, if PostgreSQL still has them, with their open transactions: a proxy
   * can keep those without limit, and their locks with them.
   */
  async endFormerSessions(): Promise<void> {
    const client = await this.client();
    for (const { pid, since } of this.former) {
      const { rowCount } = await client.query(END_SESSION, [pid, since]);
      if (rowCount) this.log.warn({ pid }, 'the session of a broken connection still held its locks, and was ended');
    }
    this.former = [];
  }

  /** Ends an open transaction. If that fails the connection is dropped, which ends it as well. */
  async rollback(): Promise<void> {
    if (!this.current || this.broken) return;
    try {
      await this.current.query('ROLLBACK');
    } catch {
      this.broken = true;
    }
  }

  /**
   * The database is unavailable, so the error says nothing about the batch, and it is unknown whether a commit took
   * effect.
   */
  unavailable(error: unknown): boolean {
    return this.broken || isSessionEnded(error) || NETWORK.has(codeOf(error));
  }

  worthRetrying(error: unknown): boolean {
    return this.unavailable(error) || isConflict(error);
  }

  async close(): Promise<void> {
    const client = this.current;
    this.current = null;
    // The peer may be gone already. Nothing of this connection is used any more.
    await client?.end().catch(() => undefined);
  }
}

/** Most broken connections that are remembered beside the newest. */
const MAX_FORMER = 15;
/**
 * Also limits the time of a whole transaction, which PostgreSQL supports from version 17 on. A session whose process
 * freezes after it has sent half a batch is not idle: it is in the middle of its statements.
 */
const SESSION = `SELECT pid, backend_start::text AS since, (
    SELECT set_config(t.name, (2 * s.setting::int4)::text, false) FROM pg_settings AS t, pg_settings AS s
    WHERE t.name = 'transaction_timeout' AND s.name = 'statement_timeout'
  ) FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
const END_SESSION =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz';

/** How long a lane waits for a head that another session holds, in ms: longer than a frozen one keeps it. */
export const MAX_LOCK_MS = 10_000;

/**
 * A client as lanes need it. Plans are made once, with whatever the tables contain then. So scans are off, or a plan
 * made on an empty table would remain. Without an index a scan is then estimated as so expensive that it would be
 * compiled, for each batch again, so the compiler is off too.
 *
 * @param statementTimeoutMs after which a statement is cancelled
 */
export function laneClient(connectionString: string, statementTimeoutMs = 30_000): Client {
  return new Client({
    connectionString,
    application_name: 'annals-lane',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    options:
      `-c plan_cache_mode=force_generic_plan -c lock_timeout=${Math.min(MAX_LOCK_MS, Math.ceil(statementTimeoutMs / 2))} -c statement_timeout=${statementTimeoutMs} ` +
      `-c enable_seqscan=off -c jit=off -c idle_in_transaction_session_timeout=${STANDSTILL_MS} ` +
      // A process that can no longer be reached must not hold the heads.
      '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  });
}
