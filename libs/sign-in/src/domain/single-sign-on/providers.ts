import type { LdapDirectory } from '../ldap/directory';
/** Part of every way to log in that the operator set up. */
export interface Offered {
  /** Its key in the file: a part of URLs. */
  readonly name: string;
  /** The organizations that may use it, by the names in their host names. Null for all of them. */
  readonly organizations: readonly string[] | null;
}

/** The button that leads to another system. */
export interface Button {
  readonly displayName: string;
  readonly displayIcon: string | null;
  /** People who may join the organization do so with their first login, without being asked. */
  readonly joinsAtOnce: boolean;
}

/** A provider of OpenID Connect. */
export interface OidcProvider extends Offered, Button {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Names of the claims that are read. */
  readonly claims: { readonly email: string; readonly emailVerified: string; readonly fullName: string };
  /** The operator vouches for every address of this provider. Then no claim has to. */
  readonly allEmailsVerified: boolean;
}

/** An identity provider of SAML 2.0. */
export interface SamlProvider extends Offered, Button {
  readonly entityId: string;
  readonly ssoUrl: string;
  /** PEM. Several while the provider changes its certificate. */
  readonly certificates: readonly string[];
  /** Names of attributes. A null email is the NameID. */
  readonly attributes: {
    readonly email: string | null;
    readonly fullName: string | null;
    readonly firstName: string | null;
    readonly lastName: string | null;
  };
  /** The operator vouches for every address of this provider. SAML itself says of no address whether it was verified. */
  readonly allEmailsVerified: boolean;
  /** The provider may send people who did not begin here. */
  readonly isIdpInitiated: boolean;
  /** Requests are signed with the key of `SamlService`. */
  readonly signsRequests: boolean;
}

/** This server as a service of SAML: its key and certificate in PEM form, for signed requests. */
export interface SamlService {
  readonly privateKey: string;
  readonly certificate: string;
}

/** The algorithms of JSON Web Tokens that can be set up. */
export type JwtAlgorithm = 'HS256' | 'RS256' | 'ES256';

/** A system whose JSON Web Tokens log people in. */
export interface JwtIssuer extends Offered {
  readonly algorithm: JwtAlgorithm;
  /** A secret for HS256, otherwise a public key in PEM form. */
  readonly key: string;
  /** Required values of `iss` and `aud`. */
  readonly issuer: string | null;
  readonly audience: string | null;
  /** Its tokens may count for years, and without an end. */
  readonly takesLasting: boolean;
}

/** Proxies that log people in, and name them in a header. */
export interface TrustedHeader extends Offered, Button {
  /** In lower case. */
  readonly header: string;
  /** Addresses and networks of the proxies. */
  readonly networks: readonly string[];
  /** Added to user names that are no address. Null: the header has addresses. */
  readonly emailDomain: string | null;
  /** The header with the full name, in lower case. */
  readonly nameHeader: string | null;
}

/** Every way to log in besides a password of this server. */
export interface SignOnProviders {
  readonly oidc: readonly OidcProvider[];
  readonly saml: readonly SamlProvider[];
  readonly samlService: SamlService | null;
  readonly jwt: readonly JwtIssuer[];
  readonly headers: readonly TrustedHeader[];
  /** Directories whose passwords log people in. */
  readonly ldap: readonly LdapDirectory[];
  /** Everybody on this machine may log in as anybody (`ANNALS_DEV_LOGINS`). */
  readonly devLogins: boolean;
}

export const NO_PROVIDERS: SignOnProviders = {
  oidc: [],
  saml: [],
  samlService: null,
  jwt: [],
  headers: [],
  ldap: [],
  devLogins: false,
};

/** Whether the organization may use it. */
export const isFor = (subdomain: string, { organizations }: Pick<Offered, 'organizations'>): boolean =>
  organizations?.includes(subdomain) ?? true;
