import type { Instant } from '@annals/kernel/domain';

/** UNIX seconds; the last one with a year of four digits is far enough for everybody. */
export const TIME = { min: 0, max: 253_402_300_799 };

export const instantOf = (seconds: number): Instant => (seconds * 1_000) as Instant;
