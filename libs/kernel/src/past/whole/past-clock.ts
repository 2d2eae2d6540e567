import type { Clock, Instant } from '../../domain/index';

/** The clock of a past. It begins at a moment, and from there it runs like the clock of the present. */
export class PastClock implements Clock {
  private readonly difference: number;

  /** @param clock the time of today */
  constructor(
    begins: Instant,
    private readonly clock: Clock,
  ) {
    this.difference = clock.now() - begins;
  }

  now(): Instant {
    return (this.clock.now() - this.difference) as Instant;
  }
}
