/**
 * Why a mail was not sent: the server was `away`, did not let this server in (`login`), asked to try again (`deferred`), or
 * `refused` the mail for good.
 */
export type MailTrouble = 'away' | 'login' | 'deferred' | 'refused';

/** Contains no address and no text of a mail: the reason is kept beside the log. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';

  constructor(
    readonly trouble: MailTrouble,
    /** For an operator, such as `550 5.1.1 user unknown`. */
    readonly reason: string,
  ) {
    super(`mail: ${trouble} (${reason})`);
  }

  /** Whether other mails fail in the same way, so that there is no use in trying them now. */
  get concernsServer(): boolean {
    return this.trouble === 'away' || this.trouble === 'login';
  }
}
