import { Client } from 'pg';
import type { Logger } from 'pino';
import { STANDSTILL_MS } from '../../database/database';
import { codeOf, isConflict, isSessionEnded } from '../../database/sql-states';

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

/** A connection as PostgreSQL sees it; a process number alone may be given again. */
interface Session {
  readonly pid: number;
  readonly since: string;
}

/** The lane's own connection: opened when needed, thrown away when it breaks. */
export class LaneConnection {
  private current: Client | null = null;
  private session: Session | null = null;
  /** Those of connections that broke: PostgreSQL may not know, and keep a transaction open. */
  private former: readonly Session[] = [];
  private broken = false;
  /** Null while it is what the connection was opened with. */
  private statementMs: number | null = null;

  constructor(
    private readonly open: () => Client,
    private readonly log: Logger,
  ) {}

  /** @param statementMs after which a statement of this client is cancelled; left out, it stays as it is */
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
   * Ends the sessions of connections that broke, where PostgreSQL still has them, and the transactions they may have left
   * open: a proxy can keep those for as long as it likes, and their locks with them.
   */
  async endFormerSessions(): Promise<void> {
    const client = await this.client();
    for (const { pid, since } of this.former) {
      const { rowCount } = await client.query(END_SESSION, [pid, since]);
      if (rowCount) this.log.warn({ pid }, 'the session of a broken connection still held its locks, and was ended');
    }
    this.former = [];
  }

  /** Leaves no transaction open; a connection on which that fails is thrown away, which ends it as well. */
  async rollback(): Promise<void> {
    if (!this.current || this.broken) return;
    try {
      await this.current.query('ROLLBACK');
    } catch {
      this.broken = true;
    }
  }

  /** The database is not there: the error says nothing about the batch, and nobody knows if a commit took effect. */
  unavailable(error: unknown): boolean {
    return this.broken || isSessionEnded(error) || NETWORK.has(codeOf(error));
  }

  worthRetrying(error: unknown): boolean {
    return this.unavailable(error) || isConflict(error);
  }

  async close(): Promise<void> {
    const client = this.current;
    this.current = null;
    // The peer may be gone already; there is nothing left to save on this connection.
    await client?.end().catch(() => undefined);
  }
}

/** Broken connections that are remembered beside the newest. */
const MAX_FORMER = 15;
/**
 * Also bounds the time of a whole transaction, which PostgreSQL can from version 17 on. One whose process stands still after
 * it has sent half a batch is not idle: it is in the middle of its statements.
 */
const SESSION = `SELECT pid, backend_start::text AS since, (
    SELECT set_config(t.name, (2 * s.setting::int4)::text, false) FROM pg_settings AS t, pg_settings AS s
    WHERE t.name = 'transaction_timeout' AND s.name = 'statement_timeout'
  ) FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
const END_SESSION =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz';

/** How long a head is waited for that somebody else holds, in ms: longer than one who stands still keeps it. */
export const MAX_LOCK_MS = 10_000;

/**
 * A client as lanes need it. Plans are made once, on whatever the tables hold then: scans are off, or one made on an
 * empty table would stay. Where there is no index a scan then counts as so dear that it would be compiled, for each batch
 * anew: so is the compiler.
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
