/** A login, as far as it tells devices apart. */
export interface LoginTrace {
  /** Name of the program. */
  readonly client: string;
  /** Null if it was erased. */
  readonly network: string | null;
}

/**
 * Whether a login is from a device that the account was not used from before: with another program, or from another network. The first
 * login of an account is not one.
 */
export const isFromNewDevice = (login: LoginTrace, earlier: readonly LoginTrace[]): boolean =>
  earlier.length > 0 &&
  !earlier.some(({ client, network }) => client === login.client && network !== null && network === login.network);
