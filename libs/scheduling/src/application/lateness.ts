import type { Instant } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';

/**
 * How late a scheduled message may be sent at most, so that readers do not take an old one for new
 * (contract/scheduling.md section 6).
 */
export class Lateness {
  static readonly CODE = 'TOO_LATE';

  constructor(private readonly minutes: number) {}

  /** @throws Rejected TOO_LATE */
  ensure(dueAt: Instant, now: Instant): void {
    if (now - dueAt <= this.minutes * 60_000) return;
    throw new Rejected(
      Lateness.CODE,
      `The server could not send it at its time, nor within ${this.minutes} minutes after it.`,
    );
  }
}
