import type { Instant, RealmId } from '@annals/kernel/domain';

/** A mail that is ready to leave. */
export interface OutgoingMail {
  readonly realmId: RealmId;
  /** Of its task: the same for each attempt. */
  readonly id: string;
  /** When it was due first. */
  readonly at: Instant;
  readonly envelope: { readonly from: string; readonly to: string };
  /** The mail as RFC 5322 has it. */
  readonly raw: Buffer;
}

/** Where mails go. */
export abstract class MailTransport {
  /** In words, without credentials: `files in /srv/annals/data/mail`. */
  abstract readonly where: string;

  /** Whether mails cannot leave at all for a moment, so that none is tried. */
  get isAway(): boolean {
    return false;
  }

  /** @returns what became of it, in words @throws MailFailure */
  abstract send(mail: OutgoingMail): Promise<string>;

  /** Ends what is open. Mails that are under way fail. */
  async close(): Promise<void> {
    // Nothing is open.
  }
}
