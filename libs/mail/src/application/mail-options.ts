import { roomIn } from '../domain/incoming-part';

/** How mails reach the mail server of the operator. */
export interface SmtpAccess {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, rather than by STARTTLS. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** How this server sends and receives mail. */
export class MailOptions {
  /**
   * @param from the address that mails are from
   * @param smtp null: mails are files in `folder`
   * @param pattern addresses at which this server receives mails, with `%s` for the part that tells them apart; null if
   * it receives none
   */
  constructor(
    readonly from: string,
    readonly smtp: SmtpAccess | null,
    readonly folder: string,
    readonly pattern: string | null,
  ) {}

  /** Characters that a part may have which tells an address apart. None if this server receives no mail. */
  get room(): number {
    return this.pattern === null ? 0 : roomIn(this.pattern);
  }

  /** The address of this server with a part that tells it apart. Null if it would be too long, and if this server receives no mail. */
  incoming(part: string): string | null {
    return part.length > this.room ? null : (this.pattern?.replace('%s', () => part) ?? null);
  }

  /** The part of an address of this server that tells it apart. Null for other addresses. */
  partOf(address: string): string | null {
    const [before = '', after = ''] = (this.pattern ?? '').toLowerCase().split('%s');
    const plain = address.toLowerCase();
    const isOurs = this.pattern !== null && plain.startsWith(before) && plain.endsWith(after);
    return isOurs && plain.length > before.length + after.length
      ? address.slice(before.length, address.length - after.length)
      : null;
  }
}
