import type { Pool } from 'pg';
import type { Clock, Instant } from '../domain/index';

/** Interval in ms at which the difference to the clock of the database is measured. */
const REFRESH_MS = 60_000;

/**
 * The clock of the database, so that all processes agree on the time. Between measurements, the clock of this machine
 * continues it.
 */
export class DatabaseClock implements Clock {
  private offset = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pool: Pool) {}

  static async started(pool: Pool): Promise<DatabaseClock> {
    const clock = new DatabaseClock(pool);
    await clock.start();
    return clock;
  }

  now(): Instant {
    return Math.round(performance.timeOrigin + performance.now() + this.offset) as Instant;
  }

  async start(): Promise<void> {
    await this.measure();
    // After a failed measurement, the last one remains valid.
    this.timer = setInterval(() => void this.measure().catch(() => undefined), REFRESH_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    const before = performance.now();
    const { rows } = await this.pool.query<{ ms: number }>(
      'SELECT (extract(epoch FROM statement_timestamp()) * 1000)::float8 AS ms',
    );
    const middle = performance.timeOrigin + (before + performance.now()) / 2;
    this.offset = (rows[0]?.ms ?? middle) - middle;
  }
}
