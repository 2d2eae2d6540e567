import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Client } from 'pg';
import type { TransportEvents, WakeUpTransport } from './wake-ups';

export interface PostgresTransportOptions {
  /** The primary, directly: LISTEN does not pass a pooler that shares connections between transactions. */
  readonly connectionString: string;
  readonly log: Logger;
}

const CHANNEL = 'annals_wake_ups';
/** Name of the connection in `pg_stat_activity`. */
export const WAKE_UPS_CONNECTION = 'annals-wake-ups';

/** First pause before another try to connect, doubled each time. */
const RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/** A server that does not answer for so long counts as gone. */
const ANSWER_MS = 2_000;

/**
 * Wake-ups by LISTEN and NOTIFY on one connection of its own. Every transaction that notifies takes a lock of the whole
 * database at commit, so there is one statement at a time, not more often than every 2 ms, without waiting for the disk.
 */
export class PostgresTransport implements WakeUpTransport {
  readonly pauseMs = 2;
  private readonly stop = new AbortController();
  private client: Client | null = null;
  private connected = false;
  private listening: Promise<void> | null = null;

  constructor(private readonly options: PostgresTransportOptions) {}

  start(on: TransportEvents): void {
    this.listening = this.listen(on);
  }

  async send(texts: readonly string[]): Promise<void> {
    const client = this.client;
    if (!client || !this.connected) throw new Error('the connection for wake-ups is down');
    try {
      await client.query({
        name: 'wake-ups',
        text: 'SELECT pg_notify($1, notice) FROM unnest($2::text[]) AS notices(notice)',
        values: [CHANNEL, texts],
      });
    } catch (error) {
      // It failed or did not answer in time; when this connection has ended, `listen` opens the next.
      void client.end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.stop.abort();
    void this.client?.end();
    // A dead peer never confirms the end of its connection.
    await Promise.race([this.listening, delay(ANSWER_MS, undefined, { ref: false })]);
  }

  private async listen(on: TransportEvents): Promise<void> {
    let pauseMs = RETRY_MS;
    while (!this.stop.signal.aborted) {
      const client = (this.client = this.open(on));
      const ended = new Promise<void>((resolve) => client.once('end', resolve));
      try {
        await client.connect();
        await client.query('SET synchronous_commit = off');
        await client.query(`LISTEN ${CHANNEL}`);
        this.connected = true;
        pauseMs = RETRY_MS;
        on.connected();
        await ended;
      } catch (error) {
        if (!this.stop.signal.aborted)
          this.options.log.warn({ err: error }, 'no connection for wake-ups; trying again');
        void client.end();
      }
      this.connected = false;
      await delay(pauseMs, undefined, { signal: this.stop.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_RETRY_MS);
    }
  }

  private open(on: TransportEvents): Client {
    const client = new Client({
      connectionString: this.options.connectionString,
      application_name: WAKE_UPS_CONNECTION,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('error', (error) => this.options.log.warn({ err: error }, 'the connection for wake-ups broke'));
    client.on('notification', ({ payload }) => on.notice(payload ?? ''));
    return client;
  }
}
