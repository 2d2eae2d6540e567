import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { QueryConfig } from 'pg';
import { Client } from 'pg';
import type { NoticeChannel, Letter } from './notice';
import type { TransportEvents, WakeUpTransport } from './wake-ups';

export interface PostgresTransportOptions {
  /**
   * The primary, without a pooler in between: LISTEN does not work through a pooler that shares connections between
   * transactions.
   */
  readonly connectionString: string;
  readonly log: Logger;
}

/** Prefix of the names of channels. PostgreSQL allows 63 bytes. */
const NAMESPACE = 'annals_';
/** Channels of one statement. */
const PAGE = 1_000;
/** Name of the connection in `pg_stat_activity`. */
export const WAKE_UPS_CONNECTION = 'annals-wake-ups';

/** First pause before another try to connect, doubled each time. */
const RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/** A server that does not answer for so long counts as unavailable. */
const ANSWER_MS = 2_000;

/**
 * Wake-ups by LISTEN and NOTIFY on one connection of its own. Every transaction that notifies takes a lock of the whole
 * database at commit. So there is one statement at a time, at most every 2 ms, and its commit does not wait for the
 * disk.
 */
export class PostgresTransport implements WakeUpTransport {
  readonly pauseMs = 2;
  private readonly stop = new AbortController();
  private readonly channels = new Set<string>();
  private client: Client | null = null;
  private isOpen = false;
  /** The last command of this connection. Commands run one after another, in the order of the calls. */
  private last: Promise<unknown> = Promise.resolve();
  private staying: Promise<void> | null = null;

  constructor(private readonly options: PostgresTransportOptions) {}

  start(on: TransportEvents): void {
    this.staying = this.stayConnected(on);
  }

  async listen(channel: NoticeChannel): Promise<void> {
    this.channels.add(channel);
    await this.say('LISTEN', channel);
  }

  unlisten(channel: NoticeChannel): void {
    this.channels.delete(channel);
    void this.say('UNLISTEN', channel);
  }

  async send(letters: readonly Letter[]): Promise<void> {
    const client = this.client;
    if (!client || !this.isOpen) throw new Error('the connection for wake-ups is down');
    try {
      await this.inTurn(client, {
        name: 'wake-ups',
        text: 'SELECT pg_notify(channel, notice) FROM unnest($1::text[], $2::text[]) AS letters(channel, notice)',
        values: [letters.map(({ channel }) => NAMESPACE + channel), letters.map(({ text }) => text)],
      });
    } catch (error) {
      this.giveUp(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.stop.abort();
    void this.client?.end();
    // A peer that is gone never confirms the end of its connection.
    await Promise.race([this.staying, delay(ANSWER_MS, undefined, { ref: false })]);
  }

  private async stayConnected(on: TransportEvents): Promise<void> {
    let pauseMs = RETRY_MS;
    while (!this.stop.signal.aborted) {
      const client = (this.client = this.open(on));
      const ended = new Promise<void>((resolve) => client.once('end', resolve));
      try {
        await client.connect();
        await client.query('SET synchronous_commit = off');
        // Channels that are added from here on run their own LISTEN after this one.
        this.isOpen = true;
        this.last = Promise.resolve();
        await this.listenAnew(client);
        pauseMs = RETRY_MS;
        on.connected();
        await ended;
      } catch (error) {
        if (!this.stop.signal.aborted)
          this.options.log.warn({ err: error }, 'no connection for wake-ups; trying again');
        void client.end();
      }
      this.isOpen = false;
      await delay(pauseMs, undefined, { signal: this.stop.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_RETRY_MS);
    }
  }

  private async listenAnew(client: Client): Promise<void> {
    const statements = [...this.channels].map((channel) => statement('LISTEN', channel));
    const pages: Promise<unknown>[] = [];
    // All of them in one statement, so that no later command runs between two.
    for (let from = 0; from < statements.length; from += PAGE) {
      pages.push(this.inTurn(client, { text: statements.slice(from, from + PAGE).join('; ') }));
    }
    await Promise.all(pages);
  }

  /** Without a connection nothing is sent. The next one listens to the channels that are wanted then. */
  private async say(command: 'LISTEN' | 'UNLISTEN', channel: NoticeChannel): Promise<void> {
    const { client } = this;
    if (!client || !this.isOpen) return;
    await this.inTurn(client, { text: statement(command, channel) }).catch(() => this.giveUp(client));
  }

  /**
   * The command failed or had no answer in time, and all waiting ones would fail too. When the connection has ended,
   * `stayConnected` opens the next one.
   */
  private giveUp(client: Client): void {
    if (client !== this.client || !this.isOpen) return;
    this.isOpen = false;
    void client.end();
  }

  private inTurn(client: Client, query: QueryConfig): Promise<unknown> {
    const done = this.last.then(() => client.query(query));
    this.last = done.catch(() => undefined);
    return done;
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
    client.on('notification', ({ channel, payload }) => on.notice(channel.slice(NAMESPACE.length), payload ?? ''));
    return client;
  }
}

const statement = (command: string, channel: string): string => `${command} "${NAMESPACE}${channel}"`;
