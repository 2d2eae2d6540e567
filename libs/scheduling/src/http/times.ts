import type { Instant } from '@annals/kernel/domain';

/** UNIX seconds, up to the end of the year 9999. */
export const TIME = { min: 0, max: 253_402_300_799 };

export const instantOf = (seconds: number): Instant => (seconds * 1_000) as Instant;
