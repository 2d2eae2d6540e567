import { Client } from 'pg';
import type { Logger } from 'pino';

const DEADLOCK = '40P01';
const SERIALIZATION = '40001';
const LOCK_TIMEOUT = '55P03';
const SHUTDOWN = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

/** The lane's own connection: opened when needed, thrown away when it breaks. */
export class LaneConnection {
  private current: Client | null = null;
  private broken = false;

  constructor(
    private readonly open: () => Client,
    private readonly log: Logger,
  ) {}

  async client(): Promise<Client> {
    if (this.current && !this.broken) return this.current;
    await this.close();
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
    return client;
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
    const code = codeOf(error);
    return this.broken || SHUTDOWN.has(code) || code.startsWith('08') || NETWORK.has(code);
  }

  worthRetrying(error: unknown): boolean {
    return this.unavailable(error) || [DEADLOCK, SERIALIZATION, LOCK_TIMEOUT].includes(codeOf(error));
  }

  async close(): Promise<void> {
    const client = this.current;
    this.current = null;
    // The peer may be gone already; there is nothing left to save on this connection.
    await client?.end().catch(() => undefined);
  }
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

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
      `-c plan_cache_mode=force_generic_plan -c lock_timeout=10s -c statement_timeout=${statementTimeoutMs} ` +
      '-c enable_seqscan=off -c jit=off -c idle_in_transaction_session_timeout=30s ' +
      // A process that can no longer be reached must not hold the heads: half a burst counts as no idle transaction.
      '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  });
}
