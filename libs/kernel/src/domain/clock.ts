import type { Instant } from './ids';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The source of time: the clock of the database in service, a manual clock in specs. */
export interface Clock {
  now(): Instant;
}

/** A clock that moves only on request. */
export class ManualClock implements Clock {
  constructor(private instant: Instant = Date.UTC(2026, 0, 1) as Instant) {}

  now(): Instant {
    return this.instant;
  }

  /** @param ms milliseconds. A negative number moves the clock back */
  advance(ms: number): void {
    this.instant = (this.instant + ms) as Instant;
  }

  set(instant: Instant): void {
    this.instant = instant;
  }
}
