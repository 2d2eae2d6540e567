import type { Clock, Instant } from '@annals/kernel/domain';
import { refuse } from '../domain/refused-mail';

/** Mails in a minute that each process takes: to one address however it is written, from one sender, and for one organization. */
const MAXIMA = { address: 30, sender: 30, organization: 200 } as const;
const MINUTE_MS = 60_000;
const KINDS = ['address', 'sender', 'organization'] as const;
/** Characters of a name that tell it apart. */
const LONGEST_NAME = 320;

/** Keeps somebody, or two programs that answer each other, from flooding an organization. */
export class MailLimits {
  private counts = new Map<string, number>();
  private until = 0;

  constructor(private readonly clock: Clock) {}

  /** Counts a mail under the names that are known. @throws RefusedMail when there are too many: the mail server tries again */
  count(names: Readonly<Partial<Record<keyof typeof MAXIMA, string>>>): void {
    const now: Instant = this.clock.now();
    if (now >= this.until) {
      this.counts = new Map();
      this.until = now + MINUTE_MS;
    }
    for (const kind of KINDS) {
      const name = names[kind];
      if (name === undefined) continue;
      const key = `${kind} ${name.slice(0, LONGEST_NAME)}`;
      const count = (this.counts.get(key) ?? 0) + 1;
      if (count > MAXIMA[kind]) throw refuse.tooMany();
      this.counts.set(key, count);
    }
  }
}
