import type { Instant } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';

/** A day of the week, as `digest_weekday` counts them from Monday on, and the week that it is in. UTC. */
export interface WeekDay {
  /** Number of the week that begins with its Monday. */
  readonly week: number;
  /** 0 is Monday, 6 is Sunday. */
  readonly weekday: number;
}

/** The day that a moment is on. The first of January 1970 was a Thursday. */
export function weekDayOf(at: Instant): WeekDay {
  const daysSinceMonday = Math.floor(at / DAY_MS) + 3;
  return { week: Math.floor(daysSinceMonday / 7), weekday: daysSinceMonday % 7 };
}
