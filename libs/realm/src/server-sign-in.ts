import type { AuthenticationMethod } from './domain/authentication/authentication-events';

/** A button of the login page that leads to another system, as `GET /server_settings` lists it. */
export interface SignInButton {
  /** Of the method and the provider, for example `saml:okta`. */
  readonly name: string;
  readonly displayName: string;
  readonly displayIcon: string | null;
  /** Paths below the address of the organization. */
  readonly loginPath: string;
  readonly signupPath: string;
  /** The button is shown while this method is on. */
  readonly method: AuthenticationMethod;
}

/** The ways to log in that the operator of this server set up (`ANNALS_SIGN_ON_FILE`), by the names of organizations. */
export interface ServerSignIn {
  methodsOf(subdomain: string): readonly AuthenticationMethod[];
  buttonsOf(subdomain: string): readonly SignInButton[];
}

/** A server on which people log in with passwords only. */
export const PASSWORDS_ONLY: ServerSignIn = { methodsOf: () => ['Email'], buttonsOf: () => [] };
