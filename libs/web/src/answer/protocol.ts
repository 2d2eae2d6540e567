/** An interface of another standard beside the API: where it is mounted, and how it reports failures. */
export interface Protocol {
  /** Where its paths begin, for example `/scim/v2`. */
  readonly base: string;
  readonly mediaType: string;
  /** What `WWW-Authenticate` says to a caller who is not known. */
  readonly challenge: string;
  /** The body of a failure, instead of the envelope. */
  failure(status: number, code: string, message: string): object;
}
