import type { Instant } from './ids';

/** Where time comes from: the database's clock in service, a hand-set one in tests. */
export interface Clock {
  now(): Instant;
}

/** A clock that stands until it is moved. */
export class ManualClock implements Clock {
  constructor(private instant: Instant = Date.UTC(2026, 0, 1) as Instant) {}

  now(): Instant {
    return this.instant;
  }

  /** @param ms milliseconds; negative moves the clock back */
  advance(ms: number): void {
    this.instant = (this.instant + ms) as Instant;
  }

  set(instant: Instant): void {
    this.instant = instant;
  }
}
