import type { Clock, Instant } from '@annals/kernel/domain';
import { refuse } from '../domain/refused-mail';

/** Mails in a minute that each process takes: to one address, from one sender, and for one organization. */
const MAXIMA = { address: 30, sender: 30, organization: 200 } as const;
const MINUTE_MS = 60_000;

/** Keeps somebody, or two programs that answer each other, from flooding an organization. */
export class MailLimits {
  private counts = new Map<string, number>();
  private until = 0;

  constructor(private readonly clock: Clock) {}

  /** Counts a mail. @throws RefusedMail when there are too many: the mail server tries again */
  count(names: Readonly<Record<keyof typeof MAXIMA, string>>): void {
    const now: Instant = this.clock.now();
    if (now >= this.until) {
      this.counts = new Map();
      this.until = now + MINUTE_MS;
    }
    for (const kind of ['address', 'sender', 'organization'] as const) {
      const key = `${kind} ${names[kind]}`;
      const count = (this.counts.get(key) ?? 0) + 1;
      if (count > MAXIMA[kind]) throw refuse.tooMany();
      this.counts.set(key, count);
    }
  }
}
