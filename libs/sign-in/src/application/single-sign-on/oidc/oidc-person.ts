import { addressOf } from '../../../domain/single-sign-on/addresses';
import type { ProvenPerson } from '../../../domain/single-sign-on/flow';
import type { OidcProvider } from '../../../domain/single-sign-on/providers';

/** How providers write that an address is verified. Entra ID writes `xms_edov` in each of these ways. */
const YES: ReadonlySet<unknown> = new Set([true, 'true', 1, '1']);

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

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

function nameIn(claims: Claims, claim: string): string | null {
  const { given_name: first, family_name: last } = claims;
  const whole = claims[claim] ?? [first, last].filter((part) => typeof part === 'string').join(' ');
  return typeof whole === 'string' && whole.trim() !== '' ? whole.trim() : null;
}
