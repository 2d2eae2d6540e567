import type { Instant, Language, UserId } from '@annals/kernel/domain';

/** HTML that this server made and whose texts are escaped, for example of a rendered message. Links must be absolute. */
export class TrustedHtml {
  constructor(readonly html: string) {}
}

/** A line that may be a link. */
export interface MailLine {
  readonly text: string;
  readonly url?: string;
}

/** A message of a user within a mail. */
export interface MailQuote {
  /** Who wrote it. */
  readonly by?: string;
  readonly html: TrustedHtml;
  /** The same for the plain part. */
  readonly text: string;
}

/**
 * A part of a mail. The texts are plain and in the language of the reader: the layout escapes them, and makes the plain
 * part and the HTML part of them. A line break within a text remains one.
 */
export type MailBlock =
  | { readonly text: string }
  | { readonly heading: string; readonly url?: string }
  /** The one thing to do. The plain part has the URL. */
  | { readonly button: string; readonly url: string }
  | { readonly list: readonly MailLine[] }
  | { readonly quote: MailQuote }
  /** In small letters, such as why somebody receives the mail. */
  | { readonly small: string };

/** What a mail says. The layout adds the name and the address of the organization. */
export interface MailContent {
  readonly subject: string;
  /** What mail programs show beside the subject in a list. Left out: the beginning of the mail. */
  readonly preview?: string;
  readonly blocks: readonly MailBlock[];
}

/** How readers end such mails (RFC 8058). */
export interface UnsubscribeLink {
  /** A page with a button for people, which also takes the POST of mail programs without any login. */
  readonly url: string;
  /** Text of the link in the mail. */
  readonly label: string;
}

/** A mail that somebody is to get now. */
export interface MailDraft {
  readonly to: string;
  readonly toName?: string;
  /** The account with this address. Left out for addresses without one. Bounces are recorded for it. */
  readonly userId?: UserId;
  /**
   * `account`: somebody waits for it, such as a link to log in. `notification`: it is not sent to an address from which
   * mails bounce.
   */
  readonly purpose: 'account' | 'notification';
  readonly language: Language;
  readonly content: MailContent;
  /** Name of the sender. Left out: that of the organization. */
  readonly fromName?: string;
  /** Where an answer goes. Left out: nobody reads answers. */
  readonly replyTo?: string;
  readonly unsubscribe?: UnsubscribeLink;
  /** `Message-ID`s of earlier mails of the same thread, the oldest first. `messageIdOf` of `MailAddresses` has them. */
  readonly thread?: readonly string[];
}

/** A mail that is to be written later, for example because more may happen until then. */
export class DueLater {
  constructor(readonly dueAt: Instant) {}
}
