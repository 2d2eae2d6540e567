import { addressOf } from '../../../domain/single-sign-on/addresses';
import type { ProvenPerson } from '../../../domain/single-sign-on/flow';
import type { OidcProvider } from '../../../domain/single-sign-on/providers';

/** How providers write that an address is verified. Entra ID writes `xms_edov` in each of these ways. */
const YES: ReadonlySet<unknown> = new Set([true, 'true', 1, '1']);

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/**
 * Whether an ID token does not say who somebody is: a usable address, whether it is verified, and a name. Many providers
 * have these in the answer of their userinfo endpoint only.
 */
export const isOpen = (provider: OidcProvider, claims: Claims): boolean =>
  !saysAddress(provider, claims) || nameIn(claims, provider.claims.fullName) === null;

/**
 * The claims of an ID token with those of userinfo, which only add to it. An address and the word that it is verified
 * come from the same answer, and a token that denies it counts.
 */
export function together(provider: OidcProvider, claims: Claims, more: Readonly<Record<string, unknown>>): Claims {
  const both = { ...more, ...claims };
  if (saysAddress(provider, claims)) return both;
  const { email, emailVerified } = provider.claims;
  const isDenied = claims[emailVerified] != null && !YES.has(claims[emailVerified]);
  return { ...both, [email]: more[email], [emailVerified]: isDenied ? false : more[emailVerified] };
}

/** The person of a token that was checked. An address counts if the provider says that it has verified it. */
export function personOf(provider: OidcProvider, claims: Claims): ProvenPerson {
  const { name, allEmailsVerified, joinsAtOnce } = provider;
  const isVerified = allEmailsVerified || YES.has(claims[provider.claims.emailVerified]);
  return {
    method: 'OpenID Connect',
    provider: name,
    identity: { issuer: claims.iss, subject: claims.sub },
    verifiedEmail: isVerified ? addressOf(claims[provider.claims.email]) : null,
    fullName: nameIn(claims, provider.claims.fullName),
    joinsAtOnce,
  };
}

const saysAddress = ({ claims: { email, emailVerified }, allEmailsVerified }: OidcProvider, claims: Claims) =>
  addressOf(claims[email]) !== null && (allEmailsVerified || claims[emailVerified] != null);

function nameIn(claims: Claims, claim: string): string | null {
  const { given_name: first, family_name: last } = claims;
  const whole = claims[claim] ?? [first, last].filter((part) => typeof part === 'string').join(' ');
  return typeof whole === 'string' && whole.trim() !== '' ? whole.trim() : null;
}
