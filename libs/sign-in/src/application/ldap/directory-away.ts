const REFERRAL = 10;

/** A directory that gives no answer now: it cannot be reached, refuses this server, or fails. */
export class DirectoryAway extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'DirectoryAway';
  }

  static because(error: unknown): DirectoryAway {
    return error instanceof DirectoryAway ? error : new DirectoryAway(this.reasonOf(error), { cause: error });
  }

  /** The reason as an operator reads it. It has no password. */
  static reasonOf(error: unknown): string {
    if (codeOf(error) === REFERRAL) return 'it refers to another server, which is not followed';
    if (!(error instanceof Error)) return String(error);
    // Connections to several addresses of a host fail with one error each, and an empty message.
    if (error instanceof AggregateError) return error.errors.map((one) => this.reasonOf(one)).join(', ');
    return error.message.split('\n').join(' ');
  }
}

/** The result code of an LDAP answer. Undefined for an error without one. */
export function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}
