import type { Client } from 'pg';
import type { Logger } from 'pino';
import { refusesWrites } from '../../database/sql-states';

const PROBE_MS = 1_000;
/** Uses space on the disk and in PostgreSQL's own log, and leaves nothing behind. */
const PROBE = `CREATE TEMP TABLE annals_probe ON COMMIT DROP AS
  SELECT repeat('x', 1000) AS text FROM generate_series(1, 200)`;

/**
 * The reason why the database refuses writes, as far as a process knows. While there is one, a write is tried every
 * second, because a process that is not ready gets no requests that could show that the reason is gone.
 */
export class WriteTrouble {
  private what: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private probing: Promise<void> | null = null;

  constructor(
    private readonly open: () => Client,
    private readonly log: Logger,
  ) {}

  /** `the database refuses writes: …`, or null while it accepts them. */
  get reason(): string | null {
    return this.what;
  }

  /** A write was refused. @returns the reason */
  refused(error: unknown): string {
    const reason = `the database refuses writes: ${error instanceof Error ? error.message : String(error)}`;
    if (this.what === null) this.log.error({ err: error }, 'the database refuses writes');
    this.what = reason;
    this.timer ??= setTimeout(() => {
      this.probing = this.probe();
    }, PROBE_MS).unref();
    return reason;
  }

  /** A write succeeded. */
  over(): void {
    if (this.what === null) return;
    this.log.info('the database takes writes again');
    this.what = null;
  }

  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.probing;
  }

  private async probe(): Promise<void> {
    const client = this.open();
    // An error that breaks the connection also fails the statement.
    client.on('error', () => undefined);
    let refusal: unknown = null;
    try {
      await client.connect();
      await client.query(PROBE);
    } catch (error) {
      refusal = error;
    } finally {
      await client.end().catch(() => undefined);
    }
    this.timer = null;
    if (refusal === null) this.over();
    // A probe that fails for another reason says nothing about writes. The next write shows whether the database accepts them.
    else if (refusesWrites(refusal)) this.refused(refusal);
    else this.what = null;
  }
}
