import type { Clock, Instant, RealmId } from '@annals/kernel/domain';
import { refuse } from '../domain/refused-mail';

/** Mails in a minute that each process takes for one organization: to one address however it is written, from one sender, and all. */
const MAXIMA = { address: 30, sender: 30, all: 200 } as const;
const MINUTE_MS = 60_000;
const KINDS = ['address', 'sender', 'all'] as const;
/** Characters of a name that tell it apart. */
const LONGEST_NAME = 320;

/** What is known of a mail. */
interface MailNames {
  readonly address?: string;
  readonly sender?: string;
  /** It counts among all mails of the organization. */
  readonly all?: '';
}

/**
 * Keeps somebody, or two programs that answer each other, from flooding an organization. What one organization gets does not count for
 * another one, also from the same sender: anybody can write any sender into a mail.
 */
export class MailLimits {
  private counts = new Map<string, number>();
  private until = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Counts a mail under the names that are known.
   *
   * @param ofOrganization what the operator lets the organization receive in a minute. Null for no limit of its own
   * @throws RefusedMail when there are too many: the mail server tries again
   */
  count(realmId: RealmId, names: MailNames, ofOrganization: number | null = null): void {
    const maxima = { ...MAXIMA, all: Math.min(MAXIMA.all, ofOrganization ?? Infinity) };
    const now: Instant = this.clock.now();
    if (now >= this.until) {
      this.counts = new Map();
      this.until = now + MINUTE_MS;
    }
    for (const kind of KINDS) {
      const name = names[kind];
      if (name === undefined) continue;
      const key = `${realmId} ${kind} ${name.slice(0, LONGEST_NAME)}`;
      const count = (this.counts.get(key) ?? 0) + 1;
      if (count > maxima[kind]) throw refuse.tooMany();
      this.counts.set(key, count);
    }
  }
}
